import { unconfirmedSwaps } from '../../chain/market/agreed-swap.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import { graduate, type GraduatingSwap, swapsBeyond } from '../../db/market/graduation.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import * as swapMonths from '../../db/market/swap-months.ts';
import { GRADUATION_MARKET_CAP_USD } from '../../domain/market/graduation.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { countTrading } from './count-trading.ts';
import type { MarketDeps } from './deps.ts';
import { steadyMarketCap, type SteadySwap } from '../../domain/market/figures.ts';
import { isWorth } from '../../domain/usd-value.ts';
import { refreshFigures } from './figures.ts';
import { withSteadyPrices } from './steady-caps.ts';

export type GraduationActivities = ReturnType<typeof createGraduationActivities>;

export function createGraduationActivities(deps: MarketDeps) {
  return {
    keepMarketIndex: (): Promise<void> => deps.startIndex(),
    refreshMarketFigures: async (): Promise<number> => {
      await prepareMonths(deps);
      await countTrading(deps);
      return refreshFigures(deps);
    },
    /** Graduates tokens that have a final swap at the cap, which a quorum confirms. Returns how many. */
    graduate: (): Promise<number> => graduateTokens(deps),
  };
}

/** Prepares tables for the coming months. A failure is harmless: the default table takes the swaps. */
async function prepareMonths({ db, now, logger }: MarketDeps): Promise<void> {
  try {
    const added = await swapMonths.prepare(db, now());
    if (added.length > 0) logger.info({ months: added.map(swapMonths.monthText) }, 'months of swaps have tables now');
  } catch (error) {
    logger.warn({ err: error }, 'the coming months of swaps have no tables yet');
  }
}

const TOKENS_AT_ONCE = 8;

async function graduateTokens(deps: MarketDeps): Promise<number> {
  const beyond = await steadilyBeyond(deps, await swapsBeyond(deps.db, GRADUATION_MARKET_CAP_USD, TOTAL_SUPPLY_RAW));
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

/** Number of swaps of a token about which a quorum is asked. */
const ASKED_EACH = 20;

/** Returns the newest swaps that reach the cap by a steady price too. */
async function steadilyBeyond(deps: MarketDeps, beyond: readonly GraduatingSwap[]): Promise<GraduatingSwap[]> {
  const groups = [...Map.groupBy(beyond, ({ mint }) => mint).values()];
  const steady = await withSteadyPrices(
    deps,
    groups.map((swaps) => ({ quoteMint: swaps[0]?.quoteMint ?? '', swaps })),
  );
  return steady.flatMap((swaps) => swaps.filter(isBeyond).slice(0, ASKED_EACH));
}

function isBeyond(swap: GraduatingSwap & SteadySwap): boolean {
  const capUsd = steadyMarketCap(swap, swap.baseDecimals);
  return capUsd !== null && isWorth(capUsd, String(GRADUATION_MARKET_CAP_USD));
}

async function hasReachedIt(deps: MarketDeps, mint: string, swaps: readonly GraduatingSwap[]): Promise<boolean> {
  const cursor = await poolCursors.byMint(deps.db, mint);
  if (!cursor) throw new Error(`the market of ${mint} is not indexed`);
  for (const swap of swaps) {
    deps.heartbeat();
    const [invented] = await unconfirmedSwaps(deps, cursor, [swap]);
    if (!invented) return true;
    const said = { mint, signature: swap.signature };
    deps.logger.warn(said, 'no quorum of RPC endpoints has a swap as it is stored: see "market check"');
  }
  return false;
}
