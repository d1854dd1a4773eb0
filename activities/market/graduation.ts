import { swapsNotBorneOut } from '../../chain/market/agreed-swap.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import { graduate, type GraduatingSwap, swapsBeyond } from '../../db/market/graduation.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import * as swapMonths from '../../db/market/swap-months.ts';
import { GRADUATION_MARKET_CAP_USD } from '../../domain/market/graduation.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { MarketDeps } from './deps.ts';
import { refreshFigures } from './figures.ts';

export type GraduationActivities = ReturnType<typeof createGraduationActivities>;

/** What happens to tokens without a trade of their own: time passes, quote tokens move, milestones are reached. */
export function createGraduationActivities(deps: MarketDeps) {
  return {
    /** Starts the index of the market where none runs. */
    keepMarketIndex: (): Promise<void> => deps.startIndex(),
    /** Computes figures anew that time, the quote token's price or a late swap changed; `new` and `aboutToGraduate` follow. Answers how many. */
    refreshMarketFigures: async (): Promise<number> => {
      await prepareMonths(deps);
      return refreshFigures(deps);
    },
    /** Graduates what touched the graduation cap, by a final swap that a quorum of RPC endpoints bears out. Answers how many. */
    graduate: (): Promise<number> => graduateTokens(deps),
  };
}

/** Gives the coming months their tables. Whoever finds none stores in the table of the rest, so that nothing waits for this. */
async function prepareMonths({ db, now, logger }: MarketDeps): Promise<void> {
  try {
    const added = await swapMonths.prepare(db, now());
    if (added.length > 0) logger.info({ months: added.map(swapMonths.monthText) }, 'months of swaps have tables now');
  } catch (error) {
    logger.warn({ err: error }, 'the coming months of swaps have no tables yet');
  }
}

/** Tokens that are asked about at once. */
const TOKENS_AT_ONCE = 8;

async function graduateTokens(deps: MarketDeps): Promise<number> {
  const beyond = await swapsBeyond(deps.db, GRADUATION_MARKET_CAP_USD, TOTAL_SUPPLY_RAW);
  const candidates = [...Map.groupBy(beyond, (swap) => swap.mint)];
  const done = await inParallel(TOKENS_AT_ONCE, candidates, async ([mint, swaps]) => {
    try {
      if (!(await hasReachedIt(deps, mint, swaps))) return 0;
    } catch (error) {
      deps.logger.warn({ err: error, mint }, 'whether a token graduates could not be asked');
      return 0;
    }
    const mints = await graduate(deps.db, [mint]);
    if (mints.length > 0) deps.logger.info({ mint }, 'a token has graduated');
    return mints.length;
  });
  return done.reduce((sum, count) => sum + count, 0);
}

async function hasReachedIt(deps: MarketDeps, mint: string, swaps: readonly GraduatingSwap[]): Promise<boolean> {
  const cursor = await poolCursors.byMint(deps.db, mint);
  if (!cursor) throw new Error(`the market of ${mint} is not indexed`);
  for (const swap of swaps) {
    deps.heartbeat();
    const [invented] = await swapsNotBorneOut(deps, cursor, [swap]);
    if (!invented) return true;
    const said = { mint, signature: swap.signature };
    deps.logger.warn(said, 'no quorum of RPC endpoints has a swap as it is stored: see "market check"');
  }
  return false;
}
