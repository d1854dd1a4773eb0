import { afterAll, describe, expect, it } from 'vitest';
import { agreedAverageOf } from '../../activities/trading/average.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { tradedLaunch } from '../support/market/traded-launch.ts';
import { type ScriptedNode, standingStill, startLiar } from '../support/rpc/scripted-node.ts';

const ground: MarketFixture = await startMarketFixture();
afterAll(() => ground.close());

const MINUTES = 10;

describe('trades that the preferred endpoint of three hides from the index', () => {
  const rpcOf = ({ url }: ScriptedNode) =>
    createRpc({ endpoints: [url, ...['b', 'c'].map((name) => `${ground.localnet.rpcUrl}/rpc/${name}`)] });

  it('leave no average that money is spent by', async () => {
    const { mint, stored, buy, record } = await tradedLaunch(ground);
    await record();
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
