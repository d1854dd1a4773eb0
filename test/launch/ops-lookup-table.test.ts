import { AddressLookupTableProgram, Connection, Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIXED_ADDRESSES } from '../../chain/exchange/raydium/lookup.ts';
import { land } from '../../chain/transactions/land.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import { MAINNET_TIP_ACCOUNTS } from '../../dev/block-engine/tip-accounts.ts';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { listPairs } from '../../dev/seed/list-pairs.ts';
import { createTestDatabase } from '../setup/database.ts';
import { ops } from '../support/ops/ops-run.ts';

let localnet: Localnet;
let db: Db;
let env: Record<string, string>;
const platform = Keypair.generate();
const treasury = Keypair.generate().publicKey;

beforeAll(async () => {
  localnet = await startLocalnet({ slotMs: 20 });
  localnet.control.advanceSlots(40);
  localnet.control.fund(platform.publicKey.toBase58(), 10_000_000_000n);
  const database = await createTestDatabase();
  db = connect(database.url);
  await listPairs(db, new Date());
  env = {
    DATABASE_URL: database.url,
    SOLANA_RPC_URL: localnet.rpcUrl,
    TREASURY_ADDRESS: treasury.toBase58(),
    PLATFORM_SECRET_KEY: bs58.encode(platform.secretKey),
  };
});
afterAll(async () => {
  await db.destroy();
  await localnet.close();
});

interface Report {
  readonly table: string;
  readonly authority: string | null;
  readonly deactivated: boolean;
  readonly addresses: string[];
  readonly lacking: { what: string; address: string }[];
}

async function run(line: string, more: Record<string, string> = {}): Promise<Report> {
  const { status, printed, message } = await ops({ ...env, ...more }, `lookup-table ${line} --json`);
  if (status !== 0) throw new Error(message ?? `status ${status}`);
  return JSON.parse(printed) as Report;
}

const created = (): Promise<Report> => run('create');

describe('lookup-table', () => {
  test('create makes a table that holds what every launch and every launchable pair names, and no tip account', async () => {
    const report = await created();
    expect(report).toMatchObject({ authority: platform.publicKey.toBase58(), deactivated: false, lacking: [] });
    const listed = await pairs.list(db, { launchable: true });
    expect(report.addresses).toEqual(expect.arrayContaining(FIXED_ADDRESSES.map((address) => address.toBase58())));
    expect(report.addresses).toEqual(expect.arrayContaining(listed.map(({ mint }) => mint)));
    expect(report.addresses).toHaveLength(FIXED_ADDRESSES.length + 2 * listed.length);
    for (const tip of MAINNET_TIP_ACCOUNTS) expect(report.addresses).not.toContain(tip);
    const connection = new Connection(localnet.rpcUrl, 'confirmed');
    const { value } = await connection.getAddressLookupTable(new PublicKey(report.table));
    expect(value?.state.addresses.map((address) => address.toBase58())).toEqual(report.addresses);
  });

  test('extend adds a pair that was listed since, and nothing when it is done again', async () => {
    const before = await created();
    const table = { LOOKUP_TABLE: before.table };
    const mint = Keypair.generate().publicKey.toBase58();
    await listPair(mint);
    expect((await run('show', table)).lacking).toMatchObject([{ what: 'NEW: mint', address: mint }, {}]);
    const after = await run('extend', table);
    expect(after.addresses).toHaveLength(before.addresses.length + 2);
    expect(after.addresses.slice(0, before.addresses.length)).toEqual(before.addresses);
    expect(after.lacking).toEqual([]);
    expect(await run('extend', table)).toEqual(after);
  });

  test('extend goes on with a table whose making was cut off', async () => {
    const table = await emptyTable(platform);
    const half = await run(`extend --table ${table}`);
    expect(half.lacking).toEqual([]);
    expect(half.table).toBe(table);
  });

  test("somebody else's table, one that was deactivated, another account and nothing are refused", async () => {
    const stranger = Keypair.generate();
    localnet.control.fund(stranger.publicKey.toBase58(), 1_000_000_000n);
    const foreign = await emptyTable(stranger);
    await expect(run(`extend --table ${foreign}`)).rejects.toThrow(
      `belongs to ${stranger.publicKey.toBase58()}, not to the platform wallet ${platform.publicKey.toBase58()}`,
    );
    const given = await emptyTable(platform);
    await landed(platform, [
      AddressLookupTableProgram.deactivateLookupTable({
        lookupTable: new PublicKey(given),
        authority: platform.publicKey,
      }),
    ]);
    await expect(run(`extend --table ${given}`)).rejects.toThrow('was deactivated');
    expect((await run(`show --table ${given}`)).deactivated).toBe(true);
    const wallet = platform.publicKey.toBase58();
    await expect(run(`extend --table ${wallet}`)).rejects.toThrow('belongs to program 1111');
    const nothing = Keypair.generate().publicKey.toBase58();
    await expect(run(`show --table ${nothing}`)).rejects.toThrow('does not exist');
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['create', 'beside a table that is configured', { LOOKUP_TABLE: treasury.toBase58() }, 'LOOKUP_TABLE is'],
    ['create', 'without the platform key', { PLATFORM_SECRET_KEY: '' }, 'PLATFORM_SECRET_KEY is not set'],
    ['extend', 'without a table', {}, 'set LOOKUP_TABLE or give --table'],
  ])('%s %s is refused with a reason', async (line, _what, more, reason) => {
    await expect(run(line, more)).rejects.toThrow(reason);
  });
});

async function listPair(mint: string): Promise<void> {
  const [known] = await pairs.list(db, { launchable: true });
  if (!known) throw new Error('no pair is listed');
  const { symbol, name, decimals, tokenProgram, category, logoUrl, priceSource, ...rest } = known;
  const { priceMaxAgeMs, priceMaxConfidenceBps } = rest;
  const listing = { decimals, tokenProgram, category, logoUrl, priceSource, priceMaxAgeMs, priceMaxConfidenceBps };
  await pairs.add(
    db,
    { ...listing, mint, symbol: `NEW`, name: `${symbol} ${name}`, priceSourceId: mint },
    { actor: 'test' },
  );
}

/** What a run of `create` leaves that was cut off before it filled the table. */
async function emptyTable(owner: Keypair): Promise<string> {
  const recentSlot = await new Connection(localnet.rpcUrl, 'confirmed').getSlot('finalized');
  const parties = { authority: owner.publicKey, payer: owner.publicKey, recentSlot };
  const [create, table] = AddressLookupTableProgram.createLookupTable(parties);
  await landed(owner, [create]);
  return table.toBase58();
}

async function landed(payer: Keypair, instructions: Parameters<typeof land>[1]): Promise<void> {
  const rpc = createRpc({ endpoints: [localnet.rpcUrl] });
  await land({ rpc, payer, computeUnitPrice: 0n, pollMs: 20 }, instructions, 100_000);
}
