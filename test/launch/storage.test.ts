import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LAMPORTS_PER_SOL } from '@solana/web3.js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArweaveServer, startArweaveServer } from '../support/arweave-server.ts';
import { traceOf } from '../support/platform/chain-facts.ts';
import { createCreator } from '../support/platform/creator.ts';
import { letEverythingExpire } from '../support/platform/doom.ts';
import { dataUrl } from '../support/images.ts';
import { photograph, TELLTALES } from '../support/photographs.ts';
import { beginUnlanded } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';

/** Launches of a wallet whose files are stored within a day without a payment. */
const UNPAID_FILES = 2;
/** The same of all wallets of one network address. */
const UNPAID_FILES_OF_ADDRESS = 6;

let arweave: ArweaveServer;
let directory: string;
let platform: Platform;

beforeAll(async () => {
  arweave = await startArweaveServer();
  directory = await mkdtemp(join(tmpdir(), 'slipway-arweave-'));
  const ARWEAVE_KEY_FILE = join(directory, 'key');
  await writeFile(ARWEAVE_KEY_FILE, randomBytes(32).toString('base64'));
  await chmod(ARWEAVE_KEY_FILE, 0o600);
  const urls = { ARWEAVE_BUNDLER_URL: arweave.url, ARWEAVE_GATEWAY_URL: arweave.url };
  const limits = {
    UNPAID_FILES_PER_WALLET: String(UNPAID_FILES),
    UNPAID_FILES_PER_ADDRESS: String(UNPAID_FILES_OF_ADDRESS),
  };
  const variables = { STORAGE: 'arweave', STORE_DIR: '', ARWEAVE_KEY_FILE, ...urls, ...limits };
  platform = await startPlatform({ variables });
});
afterAll(async () => {
  await platform.close();
  await arweave.close();
  await rm(directory, { recursive: true });
});

describe('a launch whose files go to Arweave', () => {
  it('has its metadata under the link that was sealed at prepare, and names its logo there, without what the phone added', async () => {
    arweave.behaviour = { late: 1 };
    const logo = dataUrl('image/jpeg', await photograph('jpeg', 6));
    const { prepared, answer } = await (await createCreator(platform)).launchToEnd({ name: 'Permanent', logo });
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed' } });
    await untilState(platform, prepared, 'finalized');
    const { metadataUri, logoUrl } = await platform.db
      .selectFrom('tokens')
      .select(['metadataUri', 'logoUrl'])
      .where('mint', '=', answer.data?.mint ?? '')
      .executeTakeFirstOrThrow();
    const metadata: unknown = await (await fetch(metadataUri)).json();
    expect(metadata).toMatchObject({ name: 'Permanent', image: logoUrl });
    const stored = Buffer.from(await (await fetch(logoUrl)).arrayBuffer());
    expect(stored.toString('latin1')).not.toMatch(TELLTALES);
    // It was taken lying, 60 pixels wide.
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg', width: 40, height: 60 });
    expect(metadataUri.startsWith(`${arweave.url}/`)).toBe(true);
  });

  it('is told "not charged" when the bundler takes nothing, and nothing was sent', async () => {
    arweave.behaviour = { upload: { status: 402, body: 'Not enough balance' } };
    const creator = await createCreator(platform);
    const { prepared, answer } = await creator.launch({ name: 'Unpaid' });
    expect(answer).toMatchObject({ http: 503, status: 'service_unavailable', charged: false });
    expect(answer.error?.message).toContain('402 Not enough balance');
    expect(await traceOf(platform, prepared)).toEqual({
      wallet: null,
      token: null,
      transactions: 0,
      ledger: ['abandoned', 'abandoned', 'abandoned', 'abandoned'],
    });
    expect(await creator.balance()).toBe(2 * LAMPORTS_PER_SOL);
  });

  it('goes on when the bundler is back within seconds', async () => {
    arweave.behaviour = { upload: { status: 503, body: 'busy' } };
    const creator = await createCreator(platform);
    const prepared = await creator.prepare({ name: 'Patient' });
    const pending = creator.submit(creator.sign(prepared));
    const before = arweave.uploads.length;
    while (arweave.uploads.length === before) await new Promise((resolve) => setTimeout(resolve, 20));
    arweave.behaviour = {};
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed' } });
  });

  it('stores only so much for a creator who never pays, and nothing more is lost than the files of that many', async () => {
    const creator = await createCreator(platform);
    for (let launch = 0; launch < UNPAID_FILES; launch++) {
      const { pending } = await beginUnlanded(platform, creator, { name: `Stored ${launch}` });
      letEverythingExpire(platform);
      expect(await pending).toMatchObject({ http: 503, charged: false });
    }
    platform.engine.setFault({ fault: 'none' });
    const uploads = arweave.uploads.length;
    const { answer } = await creator.launch({ name: 'One too many' });
    expect(answer).toMatchObject({ http: 503, charged: false, error: { code: 'service_unavailable' } });
    expect(answer.error?.message).toContain(`${UNPAID_FILES} launches of wallet ${creator.address.toBase58()}`);
    expect(arweave.uploads).toHaveLength(uploads);
    const other = await createCreator(platform);
    await other.launchToEnd({ name: 'Somebody else' });
  });

  it('stores only so much for all the wallets of a network address that never pay', async () => {
    for (let launch = await unpaidFiles(); launch < UNPAID_FILES_OF_ADDRESS; launch++) {
      const creator = await createCreator(platform);
      const { pending } = await beginUnlanded(platform, creator, { name: `Wallet ${launch}` });
      letEverythingExpire(platform);
      expect(await pending).toMatchObject({ http: 503, charged: false });
    }
    expect(await unpaidFiles()).toBe(UNPAID_FILES_OF_ADDRESS);
    platform.engine.setFault({ fault: 'none' });
    const uploads = arweave.uploads.length;
    const { answer } = await (await createCreator(platform)).launch({ name: 'One wallet too many' });
    expect(answer).toMatchObject({ http: 503, charged: false, error: { code: 'service_unavailable' } });
    expect(answer.error?.message).toContain(`${UNPAID_FILES_OF_ADDRESS} launches of your network address`);
    expect(arweave.uploads).toHaveLength(uploads);
  });

  it('serves no files of its own', async () => {
    const name = `${'0'.repeat(64)}.png`;
    expect((await platform.api.inject(`/store/${name}`)).statusCode).toBe(404);
  });
});

/** Launches of this file whose files were, or may have been, stored without a payment. */
async function unpaidFiles(): Promise<number> {
  const rows = platform.db.selectFrom('launches').select('quoteId').where('filesStoredAt', 'is not', null);
  return (await rows.where('state', '=', 'not_landed').execute()).length;
}
