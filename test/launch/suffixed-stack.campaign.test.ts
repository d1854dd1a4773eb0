import { Connection, Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deriveLaunchAddresses } from '../../chain/keys/launch-keys.ts';
import { createApi } from '../../client/index.ts';
import { parseKeyList } from '../../config/secrets.ts';
import { connect } from '../../db/connect.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { fundWithSol } from '../../dev/demo/fund.ts';
import { launchToken } from '../../dev/demo/launch-token.ts';
import { launchPlatformToken } from '../../dev/platform-token.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { type RunningStack, startStack } from '../../dev/stack/index.ts';
import { loadKeys } from '../../dev/stack/keys.ts';
import { layoutOf } from '../../dev/stack/layout.ts';
import { STACK_ENV } from '../support/dev/stand-in-stack.ts';
import { LOGO } from '../support/platform/logo.ts';
import { eventually } from '../support/platform/eventually.ts';

const layout = layoutOf(mkdtempSync(join(tmpdir(), 'slipway-suffix-')));
const ENV = { ...STACK_ENV, RATE_LIMIT_API: '1000000', LAUNCH_MINT_CPU_PERCENT: '100' };
let stack: RunningStack;

/** As `npm start` with LAUNCH_MINT_SUFFIX; after the first time as `npm start -- --keep`. */
async function start(suffix: string, keep: boolean): Promise<void> {
  const env = { ...ENV, LAUNCH_MINT_SUFFIX: suffix };
  stack = await startStack({ dataDirectory: layout.data, env, keep, platformToken: true });
  await launchPlatformToken(stack, stack.platformToken ?? '');
}

beforeAll(() => start('sw', false));
afterAll(async () => {
  await stack.stop();
  rmSync(layout.data, { recursive: true, force: true });
});

/** Mint of a launch by the client, after an address with the suffix is ready: without one it takes any. */
async function launchedMint(suffix: string): Promise<string> {
  const db = connect(stack.databaseUrl, { applicationName: 'test' });
  const isReady = async () => (await launchAddresses.countFree(db, 'local-1', suffix)) > 0 || null;
  await eventually(isReady, `a free address in ${suffix}`);
  await db.destroy();
  const creator = Keypair.generate();
  const connection = new Connection(stack.rpcUrl, { commitment: 'confirmed', wsEndpoint: stack.wsUrl });
  await fundWithSol(connection, creator.publicKey, 2 * LAMPORTS_PER_SOL);
  const quoteMint = SEED_PAIRS[0]?.mint.toBase58() ?? '';
  const token = { name: 'Harbour Light', symbol: 'HARBOR', quoteMint, logo: LOGO };
  return (await launchToken(createApi({ url: stack.apiUrl }), creator, token)).mint;
}

/** Every stored address, and the same derived again from the seed of the keys' file. */
async function storedAndDerived() {
  const [seed] = parseKeyList('LAUNCH_SEEDS', loadKeys(layout.keysFile, {}).LAUNCH_SEEDS);
  if (!seed) throw new Error('the stack has no launch seed');
  const db = connect(stack.databaseUrl, { applicationName: 'test' });
  const stored = await db.selectFrom('launchAddresses').selectAll().execute();
  await db.destroy();
  return stored.map(({ quoteId, genesisHash, launchWallet, mint, positionMints, feeKeyMints }) => ({
    stored: { launchWallet, mint, positionMints, feeKeyMints },
    derived: deriveLaunchAddresses({ id: seed.id, secret: seed.key }, { genesisHash, environment: 'local' }, quoteId),
  }));
}

test('a local stack with LAUNCH_MINT_SUFFIX launches mints in these letters, also after a restart and with other letters', async () => {
  const platformToken = stack.platformToken ?? '';
  const mints = [await launchedMint('sw')];
  await stack.stop();
  await start('sw', true);
  mints.push(await launchedMint('sw'));
  expect([platformToken, ...mints].map((mint) => mint.slice(-2))).toEqual(['sw', 'sw', 'sw']);
  expect(new Set([platformToken, ...mints]).size).toBe(3);
  for (const { stored, derived } of await storedAndDerived()) expect(derived).toEqual(stored);

  await stack.stop();
  await start('up', true);
  expect(stack.platformToken).toBe(platformToken);
  expect((await launchedMint('up')).slice(-2)).toBe('up');
});
