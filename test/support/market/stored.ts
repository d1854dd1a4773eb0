import { expect } from 'vitest';
import * as poolCursors from '../../../db/market/pool-cursors.ts';
import type { IndexedPool } from '../../../db/market/pool-cursors.ts';
import type { SwapRecord } from '../../../db/market/swaps.ts';
import * as tokenMarkets from '../../../db/market/token-markets.ts';
import type { TokenMarketRecord } from '../../../db/market/token-markets.ts';
import type { LaunchUnderTest } from '../exchange/launched-pool.ts';
import type { MarketFixture, MarketIndex } from './market-platform.ts';
import { countedPoolOf, recount } from './recount.ts';

/** What the database says of a token's pool. */
export interface Stored {
  swaps(): Promise<SwapRecord[]>;
  cursor(): Promise<IndexedPool>;
  market(): Promise<TokenMarketRecord>;
  /** The figures that a swap changes. */
  figures(): Promise<Pick<TokenMarketRecord, 'priceUsd' | 'volume24hUsd' | 'highWaterMarketCapUsd'>>;
  /** Expects exactly the swaps that the chain itself tells of, to the unit. */
  expectCounted(finalized?: boolean): Promise<void>;
  /** Makes everything final and looks until all of it is settled. */
  settle(index: MarketIndex): Promise<void>;
}

/** Reads what is stored of a launch. */
export function storedOf(ground: MarketFixture, launch: LaunchUnderTest): Stored {
  const { db, connection } = ground;
  const mint = launch.request.base.mint.toBase58();
  const stored: Stored = {
    swaps: () =>
      db
        .selectFrom('swaps')
        .selectAll()
        .where('mint', '=', mint)
        .orderBy('slot')
        .orderBy('slotOrder')
        .orderBy('index')
        .execute(),
    cursor: async () => (await poolCursors.byMint(db, mint))!,
    market: async () => (await tokenMarkets.byMint(db, mint))!,
    figures: async () => {
      const { priceUsd, volume24hUsd, highWaterMarketCapUsd } = await stored.market();
      return { priceUsd, volume24hUsd, highWaterMarketCapUsd };
    },
    expectCounted: async (finalized = true) => {
      const counted = await recount(connection, countedPoolOf(launch));
      expect(await stored.swaps()).toMatchObject(counted.map((trade) => ({ ...trade, finalized })));
    },
    settle: async (index) => {
      await index.lookAtMarket();
      ground.finalize();
      await index.lookAtMarket();
      expect(await stored.cursor()).toMatchObject({ changedSlot: null, gap: null });
    },
  };
  return stored;
}

/** Raw units of whole quote tokens. */
export const quoteTokens = (whole: bigint): bigint => whole * 10n ** 6n;
