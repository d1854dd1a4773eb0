import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { agreedAverageOf, averageOf } from '../../activities/trading/average.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import type { Stored } from '../support/market/stored.ts';
import { poolNumberOf } from '../support/market/swap-rows.ts';
import { type TradedLaunch, tradedLaunch } from '../support/market/traded-launch.ts';
import { startScriptedNode } from '../support/rpc/scripted-node.ts';

const ground: MarketFixture = await startMarketFixture();
const ofThree = ground.rpc('', 'b', 'c');
const index = ground.index({ rpc: ofThree });
afterAll(() => ground.close());

const MINUTES = 10;

describe('a final swap that one RPC endpoint invented', () => {
  let launch: TradedLaunch;
  let stored: Stored;
  let mint: string;
  beforeEach(async () => {
    launch = await tradedLaunch(ground);
    ({ mint, stored } = launch);
    await launch.buy(10n);
    await stored.settle(index);
  });
  const deps = (rpc = ofThree) => ({
    db: ground.db,
    now: () => new Date(ground.now()),
    rpc,
    exchange: ground.exchange,
    exchangeAt: ground.exchangeAt,
  });
  const average = (rpc = ofThree) => agreedAverageOf(deps(rpc), mint, MINUTES);
  /** What the index would have stored of a lie about the price of the newest swap. */
  const invent = (priceQuote: string) =>
    ground.db.updateTable('marketSwaps').set({ priceQuote }).where('poolNumber', '=', poolNumberOf(mint)).execute();

  it('makes no average that money is spent by', async () => {
    await launch.record();
    const [{ priceQuote } = expect.fail()] = await stored.swaps();
    expect(await average()).toBe(await averageOf(deps(), mint, MINUTES));
    await invent(String(Number(priceQuote) * 1.01));
    await expect(average()).rejects.toThrow(/no quorum of RPC endpoints has swap \w+ of \w+ as it is stored/);
    await index.checkMarket({ mint, actor: 'test', repair: true, acceptGap: false });
    expect(await average()).toBe(await averageOf(deps(), mint, MINUTES));
  });

  it('at another time is found too, and repaired', async () => {
    await launch.record();
    await sql`update market_swaps set block_time = block_time - interval '1 second' where pool_number = ${poolNumberOf(mint)}`.execute(
      ground.db,
    );
    await expect(average()).rejects.toThrow(/no quorum of RPC endpoints has swap/);
    const ask = { mint, actor: 'test', repair: true, acceptGap: false };
    expect(await index.checkMarket(ask)).toMatchObject({ repaired: true });
    await average();
  });

  it('graduates no token, and a true one beside it does', async () => {
    await invent('1');
    await ground.db
      .updateTable('tokenMarkets')
      .set({ highWaterMarketCapUsd: '1e9' })
      .where('mint', '=', mint)
      .execute();
    expect(await index.graduate()).toBe(0);
    await launch.buy(9_500n);
    await stored.settle(index);
    expect(await index.graduate()).toBe(1);
  });
});

describe('an endpoint that has forgotten old blocks', () => {
  it('bears nothing out and contradicts nothing; one that has them and not the swap does', async () => {
    const { buy, stored } = await tradedLaunch(ground);
    await buy(10n);
    await stored.settle(index);
    const [{ signature, slot } = expect.fail()] = await stored.swaps();
    let firstBlock = Number(slot) + 1;
    const forgetful = () =>
      startScriptedNode(({ method }) => {
        if (method === 'getTransaction') return { result: null };
        return { result: method === 'getFirstAvailableBlock' ? firstBlock : 0 };
      });
    await using one = await forgetful();
    await using other = await forgetful();
    const rpc = createRpc({ endpoints: [ground.localnet.rpcUrl, one.url, other.url] });
    const asItIs = () => rpc.finalizedAs({ signature, slot: Number(slot) }, () => true);
    expect(await asItIs()).toBe(true);
    expect(await rpc.finalizedAs({ signature, slot: Number(slot) }, () => false)).toBe(false);
    firstBlock = Number(slot);
    expect(await asItIs()).toBe(false);
  });
});
