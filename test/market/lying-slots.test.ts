import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens, type Stored, storedOf } from '../support/market/stored.ts';
import { deleteSwaps } from '../support/market/swap-rows.ts';
import { type ScriptedNode, startScriptedNode } from '../support/rpc/scripted-node.ts';

const ground: MarketFixture = await startMarketFixture();
const honest = ground.index();
afterAll(() => ground.close());

const MINUTE_MS = 60_000;

const FAR = 9_000_000_000_000;
const EPOCH = { epoch: 1, slotIndex: 1, slotsInEpoch: 432_000 };
const FAILED = { error: { code: -32_603, message: 'Internal error' } };

interface Answer {
  readonly result?: { readonly context: { readonly slot: number } };
}

/** Says of all answers to a method that they are of a slot that much further, and has reached any; everything else in them is true. */
function startAhead(slots: number, lied: string, refused: readonly string[] = []): Promise<ScriptedNode> {
  return startScriptedNode(async ({ method, params }) => {
    if (refused.includes(method)) return { error: { code: -32_603, message: 'Internal error' } };
    const wanted = params.map((param) =>
      typeof param === 'object' && param !== null && !Array.isArray(param) ? { ...param, minContextSlot: 0 } : param,
    );
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: wanted });
    const answer = (await (
      await fetch(ground.localnet.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    ).json()) as Answer;
    if (method !== lied || !answer.result) return answer;
    const { context, ...rest } = answer.result;
    return { result: { ...rest, context: { ...context, slot: context.slot + slots } } };
  });
}

const behind = ({ url }: ScriptedNode) =>
  createRpc({ endpoints: [url, ...['a', 'b'].map((name) => `${ground.localnet.rpcUrl}/rpc/${name}`)] });
const finalSlot = () => ground.connection.getSlot('finalized');

describe('a preferred endpoint of three that says it is further than the chain', () => {
  let launch: LaunchUnderTest;
  let trader: Trader;
  let stored: Stored;
  beforeEach(async () => {
    launch = await ground.launch();
    stored = storedOf(ground, launch);
    trader = await openTrader(launch);
    await stored.settle(honest);
  });
  const buy = (whole: bigint) => swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(whole) });

  it('by far, does not move a cursor, and another one is read instead', async () => {
    await using liar = await startAhead(1_000_000, 'getMultipleAccounts');
    const index = ground.index({ rpc: behind(liar) });
    await buy(10n);
    ground.finalize();
    await index.lookAtMarket();
    expect(Number((await stored.cursor()).finalizedSlot)).toBeLessThanOrEqual(await finalSlot());
    await buy(11n);
    ground.finalize();
    await index.lookAtMarket();
    await stored.expectCounted();
    expect(await stored.swaps()).toHaveLength(2);
  });

  it('by a little, moves a cursor no further than a quorum has come', async () => {
    await using liar = await startAhead(100, 'getMultipleAccounts');
    const index = ground.index({ rpc: behind(liar) });
    await buy(12n);
    ground.finalize();
    await index.lookAtMarket();
    const { finalizedSlot, gap } = await stored.cursor();
    expect(Number(finalizedSlot)).toBeLessThanOrEqual(await finalSlot());
    expect(gap).toBeNull();
    expect(await stored.swaps()).toMatchObject([{ finalized: true }]);
    await buy(13n);
    ground.finalize();
    await index.lookAtMarket();
    await stored.expectCounted();
  });

  it('leaves neither figures nor a change behind that no later look comes up to', async () => {
    await using liar = await startAhead(1_000_000, 'getMultipleAccounts');
    await buy(16n);
    await ground.index({ rpc: behind(liar) }).lookAtMarket();
    await stored.settle(honest);
    const before = await stored.market();
    await buy(17n);
    await stored.settle(honest);
    const after = await stored.market();
    expect(Number(after.priceUsd)).toBeGreaterThan(Number(before.priceUsd));
    expect(Number(after.lastSlot)).toBeLessThanOrEqual(await ground.connection.getSlot('processed'));
  });

  it('that one is left behind is undone by a repair', async () => {
    const beyond = 9_000_000_000_000_000n;
    const mint = launch.request.base.mint.toBase58();
    await ground.db
      .updateTable('poolCursors')
      .set({ changedSlot: beyond, stateSlot: beyond })
      .where('mint', '=', mint)
      .execute();
    await ground.db.updateTable('tokenMarkets').set({ lastSlot: beyond }).where('mint', '=', mint).execute();
    await buy(18n);
    ground.finalize();
    await deleteSwaps(ground.db, mint);
    await honest.lookAtMarket();
    await deleteSwaps(ground.db, mint);
    const ask = { mint, actor: 'test', repair: true, acceptGap: false };
    expect(await honest.checkMarket(ask)).toMatchObject({ repaired: true });
    for (let n = 0; n < 6; n++) ground.finalize();
    await buy(19n);
    await stored.settle(honest);
    await stored.expectCounted();
    expect(Number((await stored.market()).lastSlot)).toBeLessThanOrEqual(await ground.connection.getSlot('processed'));
  });

  it('repairs nothing', async () => {
    await using liar = await startAhead(1_000_000, 'getMultipleAccounts');
    const index = ground.index({ rpc: behind(liar) });
    await buy(14n);
    await stored.settle(honest);
    const mint = launch.request.base.mint.toBase58();
    await deleteSwaps(ground.db, mint);
    const ask = { mint, actor: 'test', repair: true, acceptGap: false };
    await expect(index.checkMarket(ask)).rejects.toThrow(/one RPC endpoint is at slot \d+, the others at \d+/);
    expect(await index.checkMarket(ask)).toMatchObject({ repaired: true });
    expect(Number((await stored.cursor()).finalizedSlot)).toBeLessThanOrEqual(await finalSlot());
    await stored.expectCounted();
  });

  it('does not keep holders from being counted again', async () => {
    await using liar = await startAhead(1_000_000, 'getProgramAccounts');
    const inMinutes = (minutes: number) => () => new Date(ground.now() + minutes * MINUTE_MS);
    await buy(15n);
    await stored.settle(honest);
    const lied = ground.index({ rpc: behind(liar) });
    while ((await lied.countHolders()) > 0);
    const { holders } = await stored.market();
    const other = await openTrader(launch);
    await swap(launch, other, { side: 'buy', exact: 'in', amount: quoteTokens(5n) });
    await stored.settle(honest);
    const later = ground.index({ now: inMinutes(6) });
    while ((await later.countHolders()) > 0);
    expect((await stored.market()).holders).toBe((holders ?? 0) + 1);
  });
});

describe('one of two endpoints that says it is further than the chain and then says nothing', () => {
  it('moves no cursor', async () => {
    const launch = await ground.launch();
    const stored = storedOf(ground, launch);
    const trader = await openTrader(launch);
    await stored.settle(honest);
    await swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(5n) });
    ground.finalize();
    await using liar = await startAhead(1_000_000, 'getMultipleAccounts', ['getEpochInfo']);
    const rpc = createRpc({ endpoints: [liar.url, `${ground.localnet.rpcUrl}/rpc/a`] });
    await ground
      .index({ rpc })
      .lookAtMarket()
      .catch(() => undefined);
    expect(Number((await stored.cursor()).finalizedSlot)).toBeLessThanOrEqual(await finalSlot());
    await stored.settle(honest);
    await stored.expectCounted();
  });
});

describe('a slot check', () => {
  it('believes no endpoint that answers alone, and goes on with what a quorum said before', async () => {
    let others: 'honest' | 'silent' = 'honest';
    const answer = (slot: () => number) => () => ({ result: { ...EPOCH, absoluteSlot: slot(), blockHeight: slot() } });
    await using liar = await startScriptedNode(answer(() => FAR));
    const honest = () => startScriptedNode(() => (others === 'honest' ? answer(() => 1_000)() : FAILED));
    await using one = await honest();
    await using other = await honest();
    let now = 0;
    const endpoints = [liar, one, other].map(({ url }) => url);
    const rpc = createRpc({ endpoints, now: () => now });
    const fresh = createRpc({ endpoints, now: () => now });
    await rpc.assertReached(1_100);
    await expect(rpc.assertReached(FAR)).rejects.toThrow(/the others at 1000/);
    others = 'silent';
    await expect(fresh.assertReached(1_000)).rejects.toThrow(/no quorum of RPC endpoints has said yet/);
    await expect(rpc.assertReached(FAR)).rejects.toThrow(/the others at 1150/);
    now = 3_500;
    expect(await rpc.reachedSlot('confirmed')).toBe(1_160);
    others = 'honest';
    await expect(rpc.assertReached(FAR)).rejects.toThrow(/the others at 1000/);
  });
});
