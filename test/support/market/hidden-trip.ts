import { expect } from 'vitest';
import { agreedAverageOf } from '../../../activities/trading/average.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { createYellowstoneStream } from '../../../chain/stream/yellowstone/yellowstone-stream.ts';
import { openTrader, swap } from '../exchange/launched-pool.ts';
import { startLiar } from '../rpc/scripted-node.ts';
import { DoubtfulStream } from './doubtful-stream.ts';
import { type Hiding, HIDINGS } from './hiding.ts';
import type { MarketFixture } from './market-platform.ts';
import { indexBy, MARKET_SOURCES, type MarketSource } from './sources.ts';
import { quoteTokens, storedOf } from './stored.ts';
import { recordLaunch } from './traded-launch.ts';

const MINUTES = 10;

/** What averages say of an index that lacks trades. */
export const BEHIND = /the index of the market of \w+ is behind/;

export interface HiddenTrip {
  readonly source: MarketSource;
  readonly first: 'buy' | 'sell';
  readonly hiding: keyof typeof HIDINGS;
}

/** Up and down, in both sources, by each way to hide. */
export const HIDDEN_TRIPS: readonly HiddenTrip[] = MARKET_SOURCES.flatMap((source) =>
  (['buy', 'sell'] as const).flatMap((first) =>
    (Object.keys(HIDINGS) as (keyof typeof HIDINGS)[]).map((hiding) => ({ source, first, hiding })),
  ),
);

/** A market whose index asks an endpoint of three first that can be told to hide trades, and a stream that can too. */
export async function hidingMarket(ground: MarketFixture, source: MarketSource) {
  const launch = await ground.launch();
  await recordLaunch(ground, launch);
  const trader = await openTrader(launch);
  let hiding: Hiding | null = null;
  const liar = await startLiar(ground.localnet.rpcUrl, (method, result, params) =>
    hiding ? hiding.twist(method, result, params) : result,
  );
  const rpc = createRpc({
    endpoints: [liar.url, ...['b', 'c'].map((name) => `${ground.localnet.rpcUrl}/rpc/${name}`)],
  });
  const index = indexBy(ground, source, { rpc, ...(source === 'follows a stream' && { stream: hidingStream() }) });
  function hidingStream() {
    const stream = new DoubtfulStream(createYellowstoneStream({ url: ground.localnet.streamUrl! }));
    stream.twist = (event) => (hiding ? hiding.tell(event) : event);
    return stream;
  }
  const { db, exchange, exchangeAt } = ground;
  const deps = { db, now: () => new Date(ground.now()), rpc, exchange, exchangeAt };
  const mint = launch.request.base.mint.toBase58();
  return {
    launch,
    trader,
    mint,
    index,
    stored: storedOf(ground, launch),
    average: () => agreedAverageOf(deps, mint, MINUTES),
    tokens: () => launch.chain.balance(trader.baseAccount),
    hide: (next: Hiding | null) => (hiding = next),
    trade: async (side: 'buy' | 'sell', exact: 'in' | 'out', amount: bigint) => {
      const hide = hiding?.expectTrade();
      const { signature, response } = await swap(launch, trader, { side, exact, amount });
      hide?.({ signature, slot: response.slot });
    },
    async [Symbol.asyncDispose]() {
      await index.stop();
      await liar[Symbol.asyncDispose]();
    },
  };
}

/**
 * A trade that the index sees is undone and done again, which the preferred endpoint and the stream hide: expects no
 * average, and one once the index has been repaired.
 */
export async function expectNoAverage(ground: MarketFixture, { source, first, hiding }: HiddenTrip): Promise<void> {
  await using market = await hidingMarket(ground, source);
  const { trade, tokens, stored, index, average, hide } = market;
  await trade('buy', 'in', quoteTokens(5_000n));
  await stored.settle(index);
  const before = await tokens();
  if (first === 'buy') await trade('buy', 'in', quoteTokens(5_000n));
  else await trade('sell', 'in', before / 2n);
  await stored.settle(index);
  await average();
  // The next trade may land in the slot that is still being made.
  hide(HIDINGS[hiding]({ afterSlot: (await ground.connection.getSlot('processed')) - 1 }));
  if (source === 'looks at pools') await index.lookAtMarket();
  const moved = (await tokens()) - before;
  // There and back: the base vault holds to the unit what it held when the index saw it last.
  if (first === 'buy') {
    await trade('sell', 'in', moved);
    await trade('buy', 'out', moved);
  } else {
    await trade('buy', 'out', -moved);
    await trade('sell', 'in', -moved);
  }
  ground.finalize();
  if (hiding !== 'stands still' || source === 'looks at pools') await index.lookAtMarket();
  expect(await stored.swaps()).toHaveLength(2);
  await expect(average()).rejects.toThrow(BEHIND);
  hide(null);
  await trade('buy', 'in', quoteTokens(1n));
  await stored.settle(index);
  await index.checkMarket({ mint: market.mint, actor: 'test', repair: true, acceptGap: false });
  expect(await stored.swaps()).toHaveLength(5);
  await average();
}
