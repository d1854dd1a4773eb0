import { graduateTokens } from '../../db/market/graduation.ts';
import { GRADUATION_MARKET_CAP_USD } from '../../domain/market/graduation.ts';
import type { MarketDeps } from './deps.ts';
import { refreshFigures } from './figures.ts';

export type GraduationActivities = ReturnType<typeof createGraduationActivities>;

/** What happens to tokens without a trade of their own: time passes, quote tokens move, milestones are reached. */
export function createGraduationActivities(deps: MarketDeps) {
  return {
    /** Starts the index of the market where none runs. */
    keepMarketIndex: (): Promise<void> => deps.startIndex(),
    /** Computes figures anew that time, the quote token's price or a late swap changed; `new` and `aboutToGraduate` follow. Answers how many. */
    refreshMarketFigures: (): Promise<number> => refreshFigures(deps),
    /** Graduates what touched the graduation cap, by a final swap. Answers how many. */
    async graduate(): Promise<number> {
      const mints = await graduateTokens(deps.db, GRADUATION_MARKET_CAP_USD);
      for (const mint of mints) deps.logger.info({ mint }, 'a token has graduated');
      return mints.length;
    },
  };
}
