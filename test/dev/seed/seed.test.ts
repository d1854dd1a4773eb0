import {
  getAccount,
  getAssociatedTokenAddressSync,
  getMint,
  getTokenMetadata,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Db } from '../../../db/connect.ts';
import * as pairs from '../../../db/pairs.ts';
import * as prices from '../../../db/prices/prices.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { seedStack, type SeedReport } from '../../../dev/seed/index.ts';
import { LABELLED_WALLETS } from '../../../dev/seed/labelled-wallets.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { createTestDatabase } from '../../setup/database.ts';

const [treasury, platform, rewards] = [Keypair.generate(), Keypair.generate(), Keypair.generate()].map((key) =>
  key.publicKey.toBase58(),
) as [string, string, string];

let localnet: Localnet;
let connection: Connection;
let db: Db;
let seed: () => Promise<SeedReport>;
let first: SeedReport;

beforeAll(async () => {
  localnet = await startLocalnet({});
  const database = await createTestDatabase();
  connection = new Connection(localnet.rpcUrl, 'confirmed');
  db = connect(database.url);
  seed = () =>
    seedStack({
      rpcUrl: localnet.rpcUrl,
      databaseUrl: database.url,
      treasury,
      platform,
      rewards,
      environment: 'test',
      seedId: 'seed-1',
      onProgress: () => undefined,
    });
  first = await seed();
});
afterAll(async () => {
  await db.destroy();
  await localnet.close();
});

const coral = SEED_PAIRS.find(({ symbol }) => symbol === 'CORAL')!;
const bit = SEED_PAIRS.find(({ symbol }) => symbol === 'LBIT')!;

/** Owner and amount of every token account of a mint, as a holder snapshot reads them. */
async function accountsOf(mint: PublicKey): Promise<{ owner: string; amount: bigint }[]> {
  const accounts = await connection.getProgramAccounts(coral.tokenProgram, {
    dataSlice: { offset: 32, length: 40 },
    filters: [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint.toBase58() } }],
  });
  return accounts.map(({ account }) => ({
    owner: new PublicKey(account.data.subarray(0, 32)).toBase58(),
    amount: account.data.readBigUInt64LE(32),
  }));
}

describe('a seeded stack', () => {
  it('has every quote token', () => {
    expect(first.written).toEqual(SEED_PAIRS.map(({ symbol }) => symbol));
  });

  it('offers at least three pairs in two categories, and shows one retired and one of a retired category', async () => {
    const launchable = await pairs.list(db, { launchable: true });
    expect(launchable.map(({ symbol }) => symbol)).toEqual(['CORAL', 'LBIT', 'USDL']);
    expect(new Set(launchable.map(({ category }) => category)).size).toBeGreaterThanOrEqual(2);
    expect(await pairs.list(db)).toHaveLength(5);
    expect((await pairs.list(db)).filter(({ status }) => status === 'retired')).toMatchObject([{ symbol: 'LETH' }]);
    expect((await pairs.list(db)).filter(({ categoryRetired }) => categoryRetired)).toMatchObject([
      { symbol: 'RELIC' },
    ]);
  });

  it('has a mint that sorts before and one that sorts after any launched mint', () => {
    const mints = SEED_PAIRS.map(({ mint }) => mint.toBytes()[0]);
    expect(Math.min(...mints.map(Number))).toBe(0x00);
    expect(Math.max(...mints.map(Number))).toBe(0xff);
  });

  it('has a Token-2022 mint that clients can read, with its metadata, and only the faucet can make more', async () => {
    const mint = await getMint(connection, bit.mint, 'confirmed', TOKEN_2022_PROGRAM_ID);
    expect(mint).toMatchObject({ decimals: 8, freezeAuthority: null });
    expect(mint.mintAuthority?.toBase58()).toBe(localnet.faucet);
    expect(await getTokenMetadata(connection, bit.mint)).toMatchObject({ name: 'Local Bit', symbol: 'LBIT' });
  });

  it.each(SEED_PAIRS)('gave the treasury its inventory of $symbol', async (pair) => {
    const address = getAssociatedTokenAddressSync(pair.mint, new PublicKey(treasury), true, pair.tokenProgram);
    const { amount } = await getAccount(connection, address, 'confirmed', pair.tokenProgram);
    expect(amount).toBe(pair.treasuryTokens * 10n ** BigInt(pair.decimals));
  });

  it('has 6,000 holders of one token, whose accounts add up to its supply', async () => {
    const accounts = await accountsOf(coral.mint);
    const mint = await getMint(connection, coral.mint);
    expect(accounts.reduce((sum, { amount }) => sum + amount, 0n)).toBe(mint.supply);
    const owners = new Set(accounts.filter(({ amount }) => amount > 0n).map(({ owner }) => owner));
    owners.delete(treasury);
    expect(owners.size).toBe(6_000);
    expect(accounts.some(({ amount }) => amount === 0n)).toBe(true);
  });

  it('has labelled wallets among the holders; program-owned ones belong to a program on the chain', async () => {
    const owners = new Set((await accountsOf(coral.mint)).map(({ owner }) => owner));
    for (const { wallet } of LABELLED_WALLETS) expect(owners).toContain(wallet.toBase58());
    const programs = LABELLED_WALLETS.filter(({ label }) => label === 'program').map(({ wallet }) => wallet);
    const infos = await connection.getMultipleAccountsInfo(programs);
    for (const info of infos) expect(info?.owner.toBase58()).toMatch(/^CAMM/);
    expect(new Set(LABELLED_WALLETS.map(({ label }) => label)).size).toBe(4);
  });

  it('has SOL in the platform wallets, and a price for SOL and every pair', async () => {
    expect(await connection.getBalance(new PublicKey(treasury))).toBe(10_000 * LAMPORTS_PER_SOL);
    expect(await connection.getBalance(new PublicKey(platform))).toBe(1_000 * LAMPORTS_PER_SOL);
    expect(await connection.getBalance(new PublicKey(rewards))).toBe(1_000 * LAMPORTS_PER_SOL);
    const mints = ['So11111111111111111111111111111111111111112', ...SEED_PAIRS.map(({ mint }) => mint.toBase58())];
    for (const mint of mints) expect(await prices.latest(db, mint)).toMatchObject({ source: 'fixed' });
  });
});

describe('seeding a stack that was kept', () => {
  it('changes nothing that somebody changed since', async () => {
    const decision = { actor: 'test', note: 'by hand' };
    await pairs.retire(db, coral.mint.toBase58(), decision);
    await prices.record(db, [{ mint: coral.mint.toBase58(), usd: '9', source: 'fixed', observedAt: new Date() }]);
    const supply = (await getMint(connection, coral.mint)).supply;

    expect((await seed()).written).toEqual([]);
    expect(await pairs.byMint(db, coral.mint.toBase58())).toMatchObject({ status: 'retired' });
    expect((await prices.latest(db, coral.mint.toBase58()))?.usd).toMatch(/^9(\.0+)?$/);
    expect((await getMint(connection, coral.mint)).supply).toBe(supply);
  });
});
