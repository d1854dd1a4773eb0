import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OURSELVES } from '../../domain/places.ts';
import { createHolderSnapshots, type HeldToken, type HolderSnapshots } from '../../api/launch/holder-snapshots.ts';
import { createRpc, type Rpc } from '../../chain/rpc/rpc.ts';
import { HOLDER_SOURCES } from '../../chain/tokens/holder-source.ts';
import { testConfig } from '../support/api/api-config.ts';
import { testDeps } from '../support/api/test-app.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { type StandInUnderTest, startStandInExchange } from '../support/exchange/stand-in.ts';
import { eventually } from '../support/platform/eventually.ts';
import { startLiar } from '../support/rpc/scripted-node.ts';

const { db } = useDatabase();
let started: StandInUnderTest;
let rpc: Rpc;
beforeAll(async () => {
  started = await startStandInExchange();
  rpc = createRpc({ endpoints: [started.localnet.rpcUrl] });
});
afterAll(() => started.close());

/** By which holders are listed. */
const METHODS = ['getProgramAccounts', 'getProgramAccountsV2', 'getTokenAccounts'];

/** A reading that has begun; it goes on when it is let. */
interface Reading {
  readonly mint: string;
  readonly letGo: (failure?: Error) => void;
}

let nowMs: number;
let readings: Reading[];
let looks: number;
let failures: unknown[];
let snapshots: HolderSnapshots;

/** Snapshots of the real chain, whose readings wait until they are let go. */
function snapshotsBy(source?: (typeof HOLDER_SOURCES)['das']): HolderSnapshots {
  return createHolderSnapshots({
    db: db(),
    now: () => nowMs,
    onFailure: (error) => failures.push(error),
    ...(source && { source }),
    rpc: {
      async agreedHolders(question) {
        const gate = Promise.withResolvers<void>();
        const letGo = (failure?: Error) => (failure ? gate.reject(failure) : gate.resolve());
        readings.push({ mint: question.mint.toBase58(), letGo });
        await gate.promise;
        return rpc.agreedHolders(question);
      },
      accountsByEndpoint(...asked) {
        looks += 1;
        return rpc.accountsByEndpoint(...asked);
      },
    },
  });
}

beforeEach(() => {
  [nowMs, readings, looks, failures] = [1_000_000, [], 0, []];
  snapshots = snapshotsBy();
});

const reached = (list: () => readonly unknown[], count: number) =>
  eventually(() => Promise.resolve(list().length >= count || null));
const readingsBegun = (count: number) => reached(() => readings, count);
const failed = (count: number) => reached(() => failures, count);

/** A quote token that the bank alone holds. */
async function newToken(): Promise<HeldToken> {
  const mint = Keypair.generate();
  const token = { mint: mint.publicKey, decimals: 6, tokenProgram: TOKEN_PROGRAM_ID };
  await started.chain.createToken(token, mint, 1_000n, started.chain.bank.publicKey);
  return { mint: mint.publicKey.toBase58(), tokenProgram: TOKEN_PROGRAM_ID.toBase58() };
}

/** The first snapshot of a token, whose reading took so long. */
async function first(token: HeldToken, tookMs = 0) {
  const asked = snapshots.snapshot(token, 'top100', OURSELVES);
  await readingsBegun(1);
  nowMs += tookMs;
  readings[0]!.letGo();
  return asked;
}

const wallet = () => [started.chain.bank.publicKey.toBase58()];

describe('a snapshot of holders', () => {
  it('is read once for all who ask meanwhile, and for 45 seconds after it began', async () => {
    const token = await newToken();
    const asked = [snapshots.snapshot(token, 'top100', OURSELVES), snapshots.snapshot(token, 'top100', OURSELVES)];
    await readingsBegun(1);
    readings[0]!.letGo();
    const [one, other] = await Promise.all(asked);
    expect(one).toEqual({ slot: expect.any(Number) as number, wallets: wallet() });
    expect(other).toEqual(one);
    nowMs += 44_999;
    expect(await snapshots.snapshot(token, 'top100', OURSELVES)).toEqual(one);
    expect((await snapshots.snapshot(token, 'top1000', OURSELVES)).slot).toBe(one!.slot);
    expect([readings.length, looks]).toEqual([1, 2]);
  });

  it('is used while it is read anew, and then replaced together with its wallets', async () => {
    const token = await newToken();
    const before = await first(token);
    nowMs += 45_000;
    expect(await snapshots.snapshot(token, 'top100', OURSELVES)).toEqual(before);
    expect(await snapshots.snapshot(token, 'top100', OURSELVES)).toEqual(before);
    await readingsBegun(2);
    started.localnet.control.advanceSlots(2);
    readings[1]!.letGo();
    await eventually(async () => (await snapshots.snapshot(token, 'top100', OURSELVES)).slot > before.slot || null);
    expect([readings.length, looks]).toEqual([2, 2]);
    nowMs += 44_000;
    await snapshots.snapshot(token, 'top100', OURSELVES);
    expect([readings.length, looks]).toEqual([2, 2]);
  });

  it('is read anew the sooner the longer that takes', async () => {
    const token = await newToken();
    await first(token, 12_000);
    nowMs += 8_999;
    await snapshots.snapshot(token, 'top100', OURSELVES);
    expect(readings).toHaveLength(1);
    nowMs += 1;
    await snapshots.snapshot(token, 'top100', OURSELVES);
    await readingsBegun(2);
    readings[1]!.letGo();
  });

  it('is never used 55 seconds after its reading began, in no tier', async () => {
    const token = await newToken();
    await first(token, 5_000);
    nowMs += 49_999;
    await snapshots.snapshot(token, 'top1000', OURSELVES);
    await readingsBegun(2);
    readings[1]!.letGo(new Error('away'));
    await failed(1);
    nowMs += 1;
    for (const tier of ['top100', 'top1000'] as const) {
      const asked = snapshots.snapshot(token, tier, OURSELVES);
      await readingsBegun(3);
      readings[2]!.letGo();
      expect((await asked).wallets).toEqual(wallet());
    }
    expect(readings).toHaveLength(3);
  });

  it('of an index that may be behind is used ten seconds less', async () => {
    snapshots = snapshotsBy(HOLDER_SOURCES.das);
    const token = await newToken();
    await first(token);
    nowMs += 45_000;
    const asked = snapshots.snapshot(token, 'top100', OURSELVES);
    await readingsBegun(2);
    const waited = await Promise.race([asked, Promise.resolve('waits')]);
    expect(waited).toBe('waits');
    readings[1]!.letGo();
    expect((await asked).wallets).toEqual(wallet());
  });

  it('that cannot be read again is used to its end, tried again after a pause, and then refused', async () => {
    const token = await newToken();
    const before = await first(token);
    nowMs += 45_000;
    await snapshots.snapshot(token, 'top100', OURSELVES);
    await readingsBegun(2);
    readings[1]!.letGo(new Error('too many accounts'));
    await failed(1);
    expect(failures).toEqual([new Error('too many accounts')]);
    nowMs += 4_999;
    expect(await snapshots.snapshot(token, 'top100', OURSELVES)).toEqual(before);
    expect(readings).toHaveLength(2);
    nowMs += 1;
    expect(await snapshots.snapshot(token, 'top100', OURSELVES)).toEqual(before);
    await readingsBegun(3);
    readings[2]!.letGo(new Error('too many accounts'));
    await failed(2);
    nowMs += 5_000;
    const asked = snapshots.snapshot(token, 'top100', OURSELVES);
    await readingsBegun(4);
    readings[3]!.letGo(new Error('too many accounts'));
    await expect(asked).rejects.toThrow('too many accounts');
    expect(failures).toHaveLength(2);
  });

  it('waits where two other tokens are being read', async () => {
    const tokens = [await newToken(), await newToken(), await newToken()];
    const asked = tokens.map((token) => snapshots.snapshot(token, 'top100', OURSELVES));
    await readingsBegun(2);
    readings[1]!.letGo();
    await asked[1];
    await readingsBegun(3);
    expect(readings.map(({ mint }) => mint)).toEqual(tokens.map(({ mint }) => mint));
    for (const { letGo } of readings) letGo();
    expect((await Promise.all(asked)).map(({ wallets }) => wallets)).toEqual(tokens.map(wallet));
  });
});

it.each([
  [{}, 'getProgramAccounts'],
  [{ HOLDER_SOURCE: 'paged' }, 'getProgramAccountsV2'],
  [{ HOLDER_SOURCE: 'das' }, 'getTokenAccounts'],
])('an API with %j takes its snapshots by %s', async (variables, method) => {
  const token = await newToken();
  await using node = await startLiar(started.localnet.rpcUrl, (_, result) => result);
  const config = testConfig({ SOLANA_RPC_URL: node.url, ...variables });
  const { launching } = testDeps({ config, db: db() });
  expect((await launching.holders.snapshot(token, 'top100', OURSELVES)).wallets).toEqual(wallet());
  const listing = METHODS.filter((one) => node.requests.some((request) => request.method === one));
  expect(listing).toEqual([method]);
});
