import type { IndexParts, MarketFixture, MarketIndex } from './market-platform.ts';

/** How an index hears of trades. */
export const MARKET_SOURCES = ['looks at pools', 'follows a stream'] as const;
export type MarketSource = (typeof MARKET_SOURCES)[number];

/** An index that can be ended. */
export interface SourcedIndex extends MarketIndex {
  stop(): Promise<void>;
}

/** An index of either kind, on a ground whose chain serves a stream. */
export function indexBy(ground: MarketFixture, source: MarketSource, over?: Partial<IndexParts>): SourcedIndex {
  if (source === 'follows a stream') return ground.follow(over);
  return { ...ground.index(over), stop: () => Promise.resolve() };
}
