import { type SwapWitness, unconfirmedSwaps } from '../../chain/market/agreed-swap.ts';
import type { Db } from '../../db/connect.ts';
import { averagePrice, boundsOfAverage } from '../../db/prices/average-price.ts';
import * as launches from '../../db/launch/launches.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import { priceInQuote } from '../../domain/pool-price.ts';
import { chainMoment, ClocksDifferError, type TimeDeps } from '../../chain/rpc/chain-moment.ts';
import { type MarketWitness, provenSince } from './proven-market.ts';

declare const agreed: unique symbol;

/**
 * Average price by a quorum, whole quote tokens per launched token, exact decimal. Only `agreedAverageOf` makes it,
 * and it alone decides the platform's own swaps.
 */
export type AgreedAverage = string & { readonly [agreed]: true };

/**
 * The market is not indexed, its history has a gap, the index is not proven to have every swap, or the clocks differ.
 */
export class AverageUnknownError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'AverageUnknownError';
  }
}

export interface AverageDeps extends TimeDeps {
  readonly db: Db;
}

const MINUTE_MS = 60_000;

/**
 * Averages the last minutes of stored final swaps, which come from one endpoint: money needs `agreedAverageOf`. Throws
 * an AverageUnknownError while the index is stuck on the pool.
 */
export async function averageOf(deps: AverageDeps, mint: string, minutes: number): Promise<string> {
  const { span } = await averagedMarket(deps, mint, minutes);
  return averagePrice(deps.db, span);
}

/**
 * A quorum confirms the swaps whose prices bound all others, and that the stored swaps are all that led to the pool's
 * final state. Throws without either.
 */
export async function agreedAverageOf(
  deps: AverageDeps & MarketWitness & SwapWitness,
  mint: string,
  minutes: number,
): Promise<AgreedAverage> {
  const { cursor, opening, span, final } = await averagedMarket(deps, mint, minutes);
  const [average, bounds] = await Promise.all([averagePrice(deps.db, span), boundsOfAverage(deps.db, span)]);
  const [invented] = await unconfirmedSwaps(deps, cursor, bounds);
  if (invented)
    throw new Error(
      `no quorum of RPC endpoints has swap ${invented.signature} of ${mint} as it is stored: see "market check"`,
    );
  const { from, openedAt } = span;
  const since = await provenSince(deps, { cursor, opening, openedAt }, { from, final });
  if (since === null) throw new AverageUnknownError(`the index of the market of ${mint} is behind`);
  if (since > from && since > openedAt)
    throw new AverageUnknownError(
      `the swaps of ${mint} are proven complete only since ${since.toISOString()}, the average begins at ${from.toISOString()}`,
    );
  return average as AgreedAverage;
}

async function averagedMarket(deps: AverageDeps, mint: string, minutes: number) {
  const { db } = deps;
  const [cursor, launch, final] = await Promise.all([
    poolCursors.byMint(db, mint),
    launches.byMint(db, mint),
    chainMoment(deps).catch(unknownBy),
  ]);
  if (!cursor || !launch?.launchedAt) throw new AverageUnknownError(`the market of ${mint} is not indexed`);
  if (cursor.gap !== null) throw new AverageUnknownError(`the market of ${mint} has a gap: ${cursor.gap}`);
  const { opening } = launch.terms;
  const { baseDecimals, quoteDecimals } = cursor;
  const pool = { ...opening, sqrtPriceX64: BigInt(opening.sqrtPriceX64), baseDecimals, quoteDecimals };
  const { at: to } = final;
  const from = new Date(to.getTime() - minutes * MINUTE_MS);
  const span = { mint, from, to, openingPrice: priceInQuote(pool), openedAt: launch.launchedAt };
  return { cursor, opening, span, final };
}

function unknownBy(error: unknown): never {
  throw error instanceof ClocksDifferError ? new AverageUnknownError(error.message) : error;
}
