import { createCache } from 'async-cache-dedupe';
import { openingProblem } from '../../chain/exchange/opening-problem.ts';
import { quoteTokenOf } from '../../chain/launch/pool-request.ts';
import type { PairRecord } from '../../db/pairs.ts';
import type { FeeTier } from '../../domain/token-facts.ts';
import { within } from '../../domain/within.ts';
import type { ApiDeps } from '../deps.ts';

/** Seconds; an exchange hardly ever changes them. */
const FEES_SECONDS = 60;

/** Longest that a list of pairs waits for the exchange's fees, ms. */
const WAIT_MS = 1_000;

/** Says whether a pool of the pair can open at a USD price; true while the exchange does not tell its fees. */
export type Opens = (pair: PairRecord, usd: string) => Promise<boolean>;

/** Plans each pair once a price. */
export function createOpenings({ launching: { exchange }, logger }: Pick<ApiDeps, 'launching' | 'logger'>): Opens {
  const cache = createCache({ ttl: FEES_SECONDS, storage: { type: 'memory' } });
  const { fees } = cache.define('fees', (tier: FeeTier) => exchange.poolFees(tier));
  const pools = {
    planLaunch: exchange.planLaunch.bind(exchange),
    poolFees: (tier: FeeTier) => within(WAIT_MS, fees(tier), noFees),
  };
  const known = new Map<string, { readonly usd: string; readonly opens: boolean }>();
  return async (pair, usd) => {
    const last = known.get(pair.mint);
    if (last?.usd === usd) return last.opens;
    try {
      const problem = await openingProblem(pools, { quote: quoteTokenOf({ quoteToken: pair }), quotePriceUsd: usd });
      known.set(pair.mint, { usd, opens: problem === undefined });
      return problem === undefined;
    } catch (error) {
      logger.warn({ err: error, mint: pair.mint }, 'it is not known whether a pool of a pair can open');
      return true;
    }
  };
}

const noFees = () => new Error(`no fees of the exchange within ${WAIT_MS} ms`);
