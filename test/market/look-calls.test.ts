import { createHash } from 'node:crypto';
import type { PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { fillingBatches } from '../../domain/batches.ts';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { type MarketIndex, startMarketGround } from '../support/market/market-platform.ts';
import { type Stored, storedOf } from '../support/market/stored.ts';

const ground = await startMarketGround({ slotMs: 60 });
afterAll(() => ground.close());

const CallSchema = Type.Object({ method: Type.String(), params: Type.Array(Type.Unknown()) });
type Call = Type.Static<typeof CallSchema>;
/** What is made of an endpoint's answer before it is read. */
type Twist = (call: Call, text: string) => string;

let launch: LaunchUnderTest;
let trader: Trader;
let stored: Stored;
let index: MarketIndex;
let calls: Call[] = [];
let twist: Twist = (_, text) => text;

beforeEach(async () => {
  twist = (_, text) => text;
  const rpc = createRpc({
    endpoints: [ground.localnet.rpcUrl],
    fetch: async (url, init) => {
      const call = Parse(CallSchema, JSON.parse(bodyOf(init)));
      calls.push(call);
      const response = await fetch(url, init);
      return new Response(twist(call, await response.text()), { status: response.status });
    },
  });
  index = ground.index({ rpc });
  launch = await ground.launch();
  stored = storedOf(ground, launch);
  trader = await openTrader(launch);
  await stored.settle(index);
  calls = [];
});

const AMOUNT = 10n ** 13n;
const buy = () => swap(launch, trader, { side: 'buy', exact: 'out', amount: AMOUNT });
const sell = () => swap(launch, trader, { side: 'sell', exact: 'in', amount: AMOUNT });
const vaultRaw = async (vault: PublicKey): Promise<string> =>
  (await ground.connection.getTokenAccountBalance(vault, 'confirmed')).value.amount;
const countOf = (method: string): number => calls.filter((call) => call.method === method).length;
const historiesOf = (vault: string): number =>
  calls.filter(({ method, params }) => method === 'getSignaturesForAddress' && params[0] === vault).length;

describe('a look', () => {
  it('reads a part of each account and nothing else while nobody trades', async () => {
    await index.lookAtMarket();
    const dataSlice = ground.exchange.tradedPart;
    expect(calls).toMatchObject([{ method: 'getMultipleAccounts', params: [expect.anything(), { dataSlice }] }]);
  });

  it('finds a swap there and back, which leaves the vault as it was', async () => {
    const { vault0, vault1, token0 } = await launch.state();
    const vault = token0.equals(launch.request.base.mint) ? vault0 : vault1;
    const before = await vaultRaw(vault);
    await buy();
    await sell();
    expect(await vaultRaw(vault)).toBe(before);
    expect(await index.lookAtMarket()).toMatchObject({ changed: 1, stored: 2 });
    await stored.settle(index);
    await stored.expectCounted();
  });

  it('reads each transaction once, and the history of its vault once', async () => {
    for (let count = 0; count < 3; count++) await buy();
    await index.lookAtMarket();
    const { baseVault } = await stored.cursor();
    expect([countOf('getTransaction'), historiesOf(baseVault!)]).toEqual([3, 1]);
    calls = [];
    ground.finalize();
    await index.lookAtMarket();
    expect([countOf('getTransaction'), historiesOf(baseVault!), countOf('getEpochInfo')]).toEqual([0, 1, 0]);
    await stored.expectCounted();
  });

  it('makes nothing final of what was invented at `confirmed`', async () => {
    const { baseVault } = await stored.cursor();
    await buy();
    twist = ({ method, params }, text) =>
      method === 'getTransaction' && JSON.stringify(params).includes('confirmed') ? withMore(text) : text;
    await index.lookAtMarket();
    calls = [];
    ground.finalize();
    await index.lookAtMarket();
    await stored.expectCounted();
    expect([countOf('getTransaction'), historiesOf(baseVault!)]).toEqual([1, 2]);
  });
});

function bodyOf(init: RequestInit | undefined): string {
  if (typeof init?.body !== 'string') throw new Error('an RPC call has a body');
  return init.body;
}

/** Every token account holds a unit more after the transaction. */
function withMore(text: string): string {
  const [head, tail] = text.split('"postTokenBalances":') as [string, string];
  return `${head}"postTokenBalances":${tail.replaceAll(/"amount":"(\d+)"/g, (_, raw: string) => `"amount":"${BigInt(raw) + 1n}"`)}`;
}

describe('a pool of which the whole account was seen', () => {
  const seenWhole = async (): Promise<string> => {
    const account = await ground.connection.getAccountInfo(launch.pool, 'confirmed');
    const hash = createHash('sha256').update(account!.owner.toBytes()).update(String(account!.lamports));
    return hash.update(account!.data).digest('hex').slice(0, 32);
  };
  const pool = () => launch.pool.toBase58();
  const note = async (seen: string): Promise<void> => {
    const rows = ground.db.updateTable('poolCursors').set({ seen, feesSeen: seen, rewardsSeen: null });
    await rows.where('pool', '=', pool()).execute();
  };

  it('has not changed where it looks the same, and is read in part from then on', async () => {
    await note(await seenWhole());
    expect(await index.lookAtMarket()).toMatchObject({ changed: 0 });
    const { seen, feesSeen, rewardsSeen } = await stored.cursor();
    expect(seen).toMatch(/^part:/);
    expect([feesSeen, rewardsSeen]).toEqual([seen, null]);
    calls = [];
    expect(await index.lookAtMarket()).toMatchObject({ changed: 0 });
    expect(calls).toMatchObject([{ params: [expect.anything(), { dataSlice: ground.exchange.tradedPart }] }]);
  });

  it('has changed where somebody traded since', async () => {
    await note(await seenWhole());
    await buy();
    expect(await index.lookAtMarket()).toMatchObject({ changed: 1, stored: 1 });
    const { seen, feesSeen } = await stored.cursor();
    expect(feesSeen).not.toBe(seen);
    await stored.settle(index);
    await stored.expectCounted();
  });
});

describe('quiet pools', () => {
  it('fill the last call of a look', () => {
    expect(fillingBatches(0, 450, 100)).toBe(400);
    expect(fillingBatches(0, 500, 100)).toBe(500);
    expect(fillingBatches(130, 450, 100)).toBe(370);
    expect(fillingBatches(95, 10, 100)).toBe(5);
  });

  it('are all looked at where they fill none', () => {
    expect(fillingBatches(0, 30, 100)).toBe(30);
    expect(fillingBatches(50, 30, 100)).toBe(30);
  });
});
