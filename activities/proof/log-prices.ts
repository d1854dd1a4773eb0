import { NATIVE_MINT } from '@solana/spl-token';
import { BigNumber } from 'bignumber.js';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import { AppError } from '../../domain/errors.ts';
import type { LoggedPrice } from '../../domain/proof/sealed-log.ts';
import type { SealedLogDeps } from './deps.ts';

const SOL = NATIVE_MINT.toBase58();

/**
 * Prices by which the reward rounds that have no plan yet may be planned: of their quote tokens, and of SOL. A price
 * that cannot be had is left out. Empty without such a round, or without a price of any of their quote tokens.
 */
export async function pricesOfRounds(deps: Pick<SealedLogDeps, 'db' | 'spendablePrices'>): Promise<LoggedPrice[]> {
  const quotes = await pricesOf(deps, await rewardRounds.unplannedQuotes(deps.db));
  if (quotes.length === 0 || quotes.some(({ mint }) => mint === SOL)) return quotes;
  return [...quotes, ...(await pricesOf(deps, [SOL]))];
}

async function pricesOf(deps: Pick<SealedLogDeps, 'spendablePrices'>, mints: readonly string[]) {
  const prices = await Promise.all(mints.map((mint) => priceOf(deps, mint)));
  return prices.filter((price) => price !== null);
}

async function priceOf(
  { spendablePrices }: Pick<SealedLogDeps, 'spendablePrices'>,
  mint: string,
): Promise<LoggedPrice | null> {
  try {
    const { usd, source, observedAt } = await spendablePrices.of(mint);
    return { mint, usd: new BigNumber(usd).toFixed(), source, at: observedAt.toISOString() };
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_unavailable') return null;
    throw error;
  }
}
