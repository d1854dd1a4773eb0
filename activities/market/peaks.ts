import { unconfirmedSwaps } from '../../chain/market/agreed-swap.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import * as peaks from '../../db/market/peaks.ts';
import type { RisenPeak, RisenToken, SteadyQuote } from '../../db/market/peaks.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import type { QuotePrice } from '../../db/market/reprice.ts';
import { judgedBefore, pricesBefore } from '../../db/prices/steady-prices.ts';
import { steadyMarketCap } from '../../domain/market/figures.ts';
import { GRADUATION_MARKET_CAP_USD } from '../../domain/market/graduation.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { stretchOf } from '../../domain/trading/spendable-price.ts';
import { isWorth } from '../../domain/usd-value.ts';
import type { MarketDeps } from './deps.ts';

/** Tokens in one statement. */
const RAISED_AT_ONCE = 1_000;

/** Tokens whose last swap a quorum is asked about at the same time. */
const ASKED_AT_ONCE = 8;

/**
 * Raises peaks, and graduates tokens, whose quote token became dearer, with or without a trade: by the cheaper of its
 * present price and the median before, never by a price that an operator set. One statement a page of risen tokens, and
 * one to raise them.
 */
export async function raisePeaks(deps: MarketDeps, present: readonly QuotePrice[]): Promise<void> {
  const quotes = await steadyQuotes(deps, present);
  if (quotes.length === 0) return;
  const page = { quotes, graduationUsd: GRADUATION_MARKET_CAP_USD, mostRaw: TOTAL_SUPPLY_RAW, limit: RAISED_AT_ONCE };
  for (let after: string | null = ''; after !== null;) {
    const { tokens, next }: peaks.RisenPage = await peaks.risenTokens(deps.db, { ...page, after });
    await raise(deps, tokens);
    after = next;
    deps.heartbeat();
  }
}

async function steadyQuotes(
  { db, now, maxDeviationBps }: MarketDeps,
  present: readonly QuotePrice[],
): Promise<SteadyQuote[]> {
  const observedAt = now();
  const stretch = stretchOf(observedAt);
  const before = await pricesBefore(
    db,
    present.map(({ mint }) => ({ mint, stretch })),
  );
  return present.flatMap(({ mint, usd }, index) => {
    const prices = before[index];
    // A swap at an operator's price is a trade and counts; the price alone does not.
    if (prices === undefined || prices.isFixed) return [];
    const steady = judgedBefore({ usd, observedAt }, prices, maxDeviationBps);
    return steady === null ? [] : [{ mint, usd: steady }];
  });
}

async function raise(deps: MarketDeps, tokens: readonly RisenToken[]): Promise<void> {
  const risen = tokens.flatMap((token) => {
    const capUsd = steadyMarketCap(token, token.baseDecimals);
    return capUsd === null ? [] : [{ token, capUsd }];
  });
  const [graduating, others] = [risen.filter(isGraduating), risen.filter((one) => !isGraduating(one))];
  await peaks.raisePeaks(
    deps.db,
    others.map(({ token: { mint }, capUsd }) => ({ mint, capUsd })),
  );
  await inParallel(ASKED_AT_ONCE, graduating, async ({ token, capUsd }) => graduateRisen(deps, token, capUsd));
}

interface Risen {
  readonly token: RisenToken;
  readonly capUsd: RisenPeak['capUsd'];
}

function isGraduating({ token, capUsd }: Risen): boolean {
  return token.status !== 'graduated' && isWorth(capUsd, String(GRADUATION_MARKET_CAP_USD));
}

async function graduateRisen(deps: MarketDeps, token: RisenToken, capUsd: RisenPeak['capUsd']): Promise<void> {
  const { mint } = token;
  deps.heartbeat();
  try {
    if (!(await isConfirmed(deps, token))) return;
  } catch (error) {
    deps.logger.warn({ err: error, mint }, 'whether a token graduates could not be asked');
    return;
  }
  await peaks.graduateAt(deps.db, { mint, capUsd });
  deps.logger.info({ mint }, 'a token has graduated without a trade');
}

/** A quorum has the swap that set the price; the opening price is that of the launch. */
async function isConfirmed(deps: MarketDeps, { mint, swap }: RisenToken): Promise<boolean> {
  if (swap === null) return true;
  const cursor = await poolCursors.byMint(deps.db, mint);
  if (!cursor) throw new Error(`the market of ${mint} is not indexed`);
  const invented = await unconfirmedSwaps(deps, cursor, [swap]);
  if (invented.length === 0) return true;
  const said = { mint, signature: swap.signature };
  deps.logger.warn(said, 'no quorum of RPC endpoints has a swap as it is stored: see "market check"');
  return false;
}
