import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { agreedAverageOf } from '../../activities/trading/average.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens, type Stored, storedOf } from '../support/market/stored.ts';
import { type ScriptedNode, startLiar } from '../support/rpc/scripted-node.ts';

const ground: MarketFixture = await startMarketFixture();
afterAll(() => ground.close());

const MINUTES = 10;

/** Answers what it answered first: a node that stands still. */
function standingStill() {
  const first = new Map<string, unknown>();
  return (method: string, result: unknown, params: readonly unknown[]): unknown => {
    const question = JSON.stringify([method, params]);
    if (!first.has(question)) first.set(question, result);
    return first.get(question);
  };
}

describe('trades that the preferred endpoint of three hides from the index', () => {
  let launch: LaunchUnderTest;
  let trader: Trader;
  let stored: Stored;
  let mint: string;
  beforeEach(async () => {
    launch = await ground.launch();
    mint = launch.request.base.mint.toBase58();
    stored = storedOf(ground, launch);
    trader = await openTrader(launch);
    const terms = launchTerms();
    await insertIntake(ground.db, intakeOf({ ...terms, addresses: { ...terms.addresses, mint } }));
    const launchedAt = new Date(ground.now());
    await ground.db.updateTable('launches').set({ launchedAt }).where('mint', '=', mint).execute();
  });
  const buy = (whole: bigint) => swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(whole) });
  const rpcOf = ({ url }: ScriptedNode) =>
    createRpc({ endpoints: [url, ...['b', 'c'].map((name) => `${ground.localnet.rpcUrl}/rpc/${name}`)] });

  it('leave no average that money is spent by', async () => {
    const isStill = { now: false };
    const still = standingStill();
    await using liar = await startLiar(ground.localnet.rpcUrl, (method, result, params) =>
      isStill.now ? still(method, result, params) : result,
    );
    const rpc = rpcOf(liar);
    const index = ground.index({ rpc });
    const average = () =>
      agreedAverageOf(
        { db: ground.db, now: () => new Date(ground.now()), rpc, exchange: ground.exchange },
        mint,
        MINUTES,
      );
    await buy(10n);
    await stored.settle(index);
    await average();
    isStill.now = true;
    await stored.settle(index);
    await buy(5_000n);
    ground.finalize();
    await index.lookAtMarket();
    expect(await stored.swaps()).toHaveLength(1);
    await expect(average()).rejects.toThrow(/the index of the market of \w+ is behind/);
    isStill.now = false;
    await stored.settle(index);
    await average();
    expect(await stored.swaps()).toHaveLength(2);
  });
});
