import type { PriceSource } from '../../chain/prices/price-source.ts';
import * as prices from '../../db/prices/prices.ts';
import { AppError } from '../../domain/errors.ts';
import { STEADY_WINDOW_MS, unsteadyReason } from '../../domain/trading/steady-price.ts';
import { observedPrice, type ObservedDeps } from './observed-price.ts';

/** What steady prices are made of. */
export interface SteadyDeps extends ObservedDeps {
  readonly now: () => Date;
  /** How far a price may lie from the middle of the last ones, bps. */
  readonly maxDeviationBps: number;
}

/**
 * Prices that something may be spent by, where what is paid for them cannot be had back: as the source has them, and refused while
 * they were not seen for a while or lie far from what was seen. Each look is an observation, so that asking again helps. What an
 * operator set is taken as it is.
 */
export function createSteadyPrices(deps: SteadyDeps): PriceSource {
  return {
    async usd(mint) {
      const present = await observedPrice(deps, mint);
      if (present.source === 'fixed') return present;
      const seen = await prices.since(deps.db, mint, new Date(deps.now().getTime() - STEADY_WINDOW_MS));
      const reason = unsteadyReason(present, seen, deps.maxDeviationBps);
      if (reason === undefined) return present;
      throw new AppError('service_unavailable', `no steady price for ${mint}: ${reason}`);
    },
  };
}
