import { spendableBase, type SpendableUsd } from '../../domain/trading/spendable-price.ts';
import { averageOf, AverageUnknownError } from '../trading/average.ts';
import type { FeeSweepDeps } from './deps.ts';

type PriceDeps = Pick<FeeSweepDeps, 'db' | 'now' | 'rpc' | 'logger'> & {
  readonly rules: Pick<FeeSweepDeps['rules'], 'averageMinutes'>;
};

/**
 * Returns the price that the burn is booked with for ever, USD per whole launched token: the average of the last
 * minutes, which a trade before the sweep hardly moves. Null without an average or a steady quote price.
 */
export async function burnPriceUsd(
  deps: PriceDeps,
  mint: string,
  quoteUsd: SpendableUsd | null,
): Promise<SpendableUsd | null> {
  if (quoteUsd === null) return null;
  try {
    return spendableBase(await averageOf(deps, mint, deps.rules.averageMinutes), quoteUsd);
  } catch (error) {
    if (!(error instanceof AverageUnknownError)) throw error;
    deps.logger.warn({ err: error, mint }, 'what is burned is booked without a price');
    return null;
  }
}
