import { afterAll, beforeAll, expect, it } from 'vitest';
import { agreedAverageOf, AverageUnknownError } from '../../activities/trading/average.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { openTrader, swap } from '../support/exchange/launched-pool.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens, storedOf } from '../support/market/stored.ts';
import { recordLaunch } from '../support/market/traded-launch.ts';
import { startScriptedNode } from '../support/rpc/scripted-node.ts';

const MINUTE_MS = 60_000;
const ground: MarketFixture = await startMarketFixture();
afterAll(() => ground.close());

let mint: string;
let opened: number;
let spot: number;
beforeAll(async () => {
  const launch = await ground.launch();
  mint = launch.request.base.mint.toBase58();
  await recordLaunch(ground, launch);
  const launchedAt = new Date(ground.now() - MINUTE_MS);
  await ground.db.updateTable('launches').set({ launchedAt }).where('mint', '=', mint).execute();
  const stored = storedOf(ground, launch);
  const index = ground.index();
  await stored.settle(index);
  opened = Number((await stored.market()).priceQuote);
  await swap(launch, await openTrader(launch), { side: 'buy', exact: 'in', amount: quoteTokens(9_500n) });
  await stored.settle(index);
  spot = Number((await stored.market()).priceQuote);
});

function averageByClock(offMs: number): Promise<string> {
  const { db, exchange, exchangeAt } = ground;
  const now = () => new Date(ground.now() + offMs);
  return agreedAverageOf({ db, now, rpc: ground.rpc('', 'b', 'c'), exchange, exchangeAt }, mint, 30);
}

it.each([-50, 0, 50])(
  'a trade of a moment ago hardly moves the average by a clock that is %i s off',
  async (seconds) => {
    expect(spot).toBeGreaterThan(6 * opened);
    expect(Number(await averageByClock(seconds * 1_000))).toBeLessThan(2.5 * opened);
  },
);

it.each([-24 * 60, -30, -2, 2, 5, 30, 24 * 60])(
  'there is no average by a clock that is %i minutes off',
  async (minutes) => {
    const average = averageByClock(minutes * MINUTE_MS);
    await expect(average).rejects.toThrow(AverageUnknownError);
    await expect(average).rejects.toThrow(minutes > 0 ? /s ahead of the newest final block/ : /s behind the newest/);
  },
);

it('a slot beyond the chain, with a time that is right, is not the newest final block of a quorum', async () => {
  const earlier = () => Math.floor(ground.now() / 1_000) - 5;
  await using liar = await startScriptedNode(({ method }) => ({
    result: method === 'getSlot' ? 1_000_000 : earlier(),
  }));
  const rpc = createRpc({ endpoints: [liar.url, `${ground.localnet.rpcUrl}/rpc/b`] });
  const { slot } = await rpc.finalMoment();
  expect(slot).toBeLessThanOrEqual(await ground.connection.getSlot('finalized'));
});
