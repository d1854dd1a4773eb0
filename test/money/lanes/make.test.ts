import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AccountLayout, MintLayout } from '@solana/spl-token';
import { Connection, Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { deriveLanes, LANE_COUNT, laneAuthority, laneOf, type Lane } from '../../../chain/lanes/lane.ts';
import { ForeignLaneError, missingLanes } from '../../../chain/lanes/make-lanes.ts';
import { createRpc, type Rpc } from '../../../chain/rpc/rpc.ts';
import { connect, type Db } from '../../../db/connect.ts';
import * as laneRows from '../../../db/money/lanes.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { createLocalChain, type WrittenAccount } from '../../../dev/seed/local-chain.ts';
import { laneAccounts } from '../../../dev/seed/write-lanes.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { ops } from '../../support/ops/ops-run.ts';

let chain: Localnet;
let rpc: Rpc;
let db: Db;
let lanes: Lane[];
let env: Record<string, string>;
const [platform, treasury] = [Keypair.generate(), Keypair.generate()];
beforeAll(async () => {
  chain = await startLocalnet({ slotMs: 20 });
  chain.control.fund(platform.publicKey.toBase58(), 10n ** 12n);
  const { url } = await createTestDatabase();
  db = connect(url);
  rpc = createRpc({ endpoints: [chain.rpcUrl] });
  lanes = await deriveLanes({ platform: platform.publicKey, treasury: treasury.publicKey }, 'test');
  env = {
    DATABASE_URL: url,
    SOLANA_RPC_URL: chain.rpcUrl,
    ENVIRONMENT: 'test',
    PLATFORM_SECRET_KEY: bs58.encode(platform.secretKey),
    TREASURY_SECRET_KEY: bs58.encode(treasury.secretKey),
  };
});
afterAll(async () => {
  await db.destroy();
  await chain.close();
});

const make = (...more: string[]) =>
  ops(env, ['lanes', 'make', '--seed', 'seed-1', '--note', 'set up', '--yes', '--json', ...more]);

describe('ops lanes make', () => {
  it('says without --yes who would pay for lanes of which treasury, and does nothing', async () => {
    const { status, message } = await ops(env, 'lanes make --seed seed-1 --note x');
    expect(status).toBe(1);
    expect(message).toContain(`the platform wallet ${platform.publicKey.toBase58()} pays up to 0.47 SOL`);
    expect(message).toContain(`the treasury ${treasury.publicKey.toBase58()}; nothing was done`);
    expect(await missingLanes(rpc.connection, lanes, 'confirmed')).toHaveLength(LANE_COUNT);
    expect(await laneRows.all(db)).toEqual([]);
  });

  it('makes every lane although a stranger sent lamports to one before, and writes them down', async () => {
    chain.control.fund(lanes[5]!.mint.toBase58(), 890_880n);
    const before = await rpc.connection.getBalance(platform.publicKey, 'confirmed');
    const { status, printed } = await make();
    expect([status, JSON.parse(printed)]).toEqual([0, { made: LANE_COUNT, written: LANE_COUNT }]);
    expect(await missingLanes(rpc.connection, lanes, 'confirmed')).toEqual([]);
    expect((await laneRows.all(db)).map(({ mint }) => mint)).toEqual(lanes.map(({ mint }) => mint.toBase58()));
    // Half a SOL for ever is what the registers of 850,000 movements a day cost.
    const spent = before - (await rpc.connection.getBalance(platform.publicKey, 'confirmed'));
    expect(spent).toBeLessThan(0.5e9);
  });

  it('again makes none', async () => {
    const { printed } = await make();
    expect(JSON.parse(printed)).toEqual({ made: 0, written: 0 });
  });

  it('asks for the key of the treasury, and takes no address in its place', async () => {
    const { TREASURY_SECRET_KEY, ...others } = env;
    const run = await ops(
      { ...others, TREASURY_ADDRESS: treasury.publicKey.toBase58() },
      'lanes make --seed seed-1 --note x --yes --json',
    );
    expect(run.status).toBe(1);
    expect(run.message).toMatch(/^this needs the key of the treasury wallet; .*\n +TREASURY_SECRET_KEY is not set/);
    expect(TREASURY_SECRET_KEY).toBeDefined();
  });

  it('makes lanes of a wrong treasury and seed right while no money moved, and not a lamport of rent is lost', async () => {
    const wrong = Keypair.generate();
    const elsewhere = { ...env, ENVIRONMENT: 'elsewhere', DATABASE_URL: (await createTestDatabase()).url };
    const books = connect(elsewhere.DATABASE_URL);
    onTestFinished(() => books.destroy());
    const run = (line: string, treasuryKey: Keypair) =>
      ops(
        { ...elsewhere, TREASURY_SECRET_KEY: bs58.encode(treasuryKey.secretKey) },
        `lanes make ${line} --note x --yes --json`,
      );
    await run('--seed wrong', wrong);
    const key = join(mkdtempSync(join(tmpdir(), 'slipway-key-')), 'wrong.json');
    writeFileSync(key, JSON.stringify([...wrong.secretKey]), { mode: 0o600 });
    onTestFinished(() => {
      rmSync(dirname(key), { recursive: true });
    });
    expect((await run('--seed seed-1', treasury)).message).toContain('--former-treasury');
    const before = await rpc.connection.getBalance(platform.publicKey, 'confirmed');
    const right = await run(`--seed seed-1 --former-treasury file:${key}`, treasury);
    expect([right.status, JSON.parse(right.printed)]).toEqual([0, { made: 0, written: LANE_COUNT }]);
    const ours = await deriveLanes({ platform: platform.publicKey, treasury: treasury.publicKey }, 'elsewhere');
    expect(await missingLanes(rpc.connection, ours, 'confirmed')).toEqual([]);
    expect(new Set((await laneRows.all(books)).map(({ seedId }) => seedId))).toEqual(new Set(['seed-1']));
    // Two signatures and the price of the compute units.
    expect(before - (await rpc.connection.getBalance(platform.publicKey, 'confirmed'))).toBeLessThan(20_000);
  });

  it('leaves a lane as it is that has a step, whatever its seed', async () => {
    const [row] = await laneRows.all(db);
    const step = {
      lane: row!.lane,
      number: 1,
      fromValue: 0n,
      toValue: 1n << 40n,
      digest: Buffer.alloc(32),
      purpose: 'nonce/x' as Purpose,
    };
    await db.insertInto('laneSteps').values(step).execute();
    const run = await ops(env, 'lanes make --seed other --note x --yes --json');
    expect(run).toMatchObject({
      status: 1,
      message: 'lane 0 has a step, so its wallet and seed stay; nothing was changed',
    });
    expect((await laneRows.all(db)).every(({ seedId }) => seedId === 'seed-1')).toBe(true);
    await db.deleteFrom('laneSteps').execute();
  });

  it('refuses what lies where a lane should be and is not ours', async () => {
    const stranger = Keypair.generate().publicKey;
    const [lane] = await deriveLanes({ platform: stranger, treasury: stranger }, 'test');
    const other = { ...lane!, authority: Keypair.generate().publicKey };
    await createLocalChain(chain.rpcUrl).writeAccounts(laneAccounts(other));
    await expect(missingLanes(rpc.connection, [lane!], 'confirmed')).rejects.toThrow(ForeignLaneError);
  });
});

it('a lane that moves while the lanes are read is ours', async () => {
  const connection = new Connection(chain.rpcUrl);
  const read = connection.getMultipleAccountsInfo.bind(connection);
  let value = 0n;
  connection.getMultipleAccountsInfo = async (addresses, commitment) => {
    const found = await read(addresses, commitment);
    await createLocalChain(chain.rpcUrl).writeAccounts(movedTo(lanes[101]!, ++value));
    return found;
  };
  expect(await missingLanes(connection, lanes, 'confirmed')).toEqual([]);
  expect(value).toBeGreaterThan(1n);
});

/** The accounts of a lane after a step. */
function movedTo(lane: Lane, value: bigint): WrittenAccount[] {
  const [mint, account] = laneAccounts(lane);
  const supply = { ...MintLayout.decode(mint!.data), supply: value };
  const amount = { ...AccountLayout.decode(account!.data), amount: value };
  MintLayout.encode(supply, mint!.data);
  AccountLayout.encode(amount, account!.data);
  return [mint!, account!];
}

describe('the lane of a movement', () => {
  it('follows from its purpose alone; movements of one job lie beside each other', () => {
    const first = laneOf('reward/a/0' as Purpose);
    expect(laneOf('reward/a/0' as Purpose)).toBe(first);
    const used = new Set(Array.from({ length: 128 }, (_, n) => laneOf(`reward/a/${n}` as Purpose)));
    expect(used.size).toBe(128);
  });

  it('of a restock belongs to the treasury, which pays, and every other one to the platform', () => {
    expect(laneAuthority(laneOf('restock/x' as Purpose))).toBe('treasury');
    for (const purpose of ['refund/x', 'emptying/x', 'airdrop/x/1', 'buyback/flywheel-x-1/swap', 'nonce/x']) {
      expect(laneAuthority(laneOf(purpose as Purpose))).toBe('platform');
    }
  });
});
