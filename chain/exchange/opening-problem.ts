import { BigNumber } from 'bignumber.js';
import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { type FeeMode, feeModelOf } from '../../domain/fee-models.ts';
import { DEV_BUY_MAX_RAW } from '../../domain/launch/dev-buy.ts';
import {
  FEE_TIERS,
  type FeeTier,
  OPENING_MARKET_CAP_USD,
  TOKEN_DECIMALS,
  TOTAL_SUPPLY_RAW,
} from '../../domain/token-facts.ts';
import type { TokenInfo } from '../tokens/token.ts';
import { quoteDevBuy } from './dev-buy.ts';
import type { LaunchPlan, LaunchPools, PoolFees } from './exchange.ts';
import { TierClosedError } from './tier-closed.ts';

/** Rounding of market cap and dev buy that a launch may have, bps. */
const MOST_ROUNDING_BPS = 100;

/** The pool rounds the price of a dev buy up to a raw unit, and its fee too. */
const ROUNDED_UNITS = 2n;

/** Returns why so few raw units of a quote token are no price of a dev buy, without the subject; undefined if they are. */
export function devBuyRounding(quoteRaw: bigint): string | undefined {
  if (quoteRaw * BigInt(MOST_ROUNDING_BPS) >= ROUNDED_UNITS * 10_000n) return undefined;
  return `would cost ${quoteRaw} raw units of it, which rounds its price by more than 1 %`;
}

export type PlannedOpening = { readonly plan: LaunchPlan } | { readonly problem: string };

/** Plans an opening and a full dev buy, as every launch must allow them; else says why there is none. */
export function planOrProblem(plan: () => LaunchPlan, base: TokenInfo, quote: TokenInfo): PlannedOpening {
  try {
    const planned = plan();
    const problem = capProblem(planned) ?? devBuyProblem(planned, base, quote);
    return problem === undefined ? { plan: planned } : { problem };
  } catch (error) {
    if (error instanceof RangeError) return { problem: `no pool can open: ${error.message}` };
    throw error;
  }
}

function capProblem({ opening: { marketCapUsd } }: LaunchPlan): string | undefined {
  const apart = new BigNumber(marketCapUsd).minus(OPENING_MARKET_CAP_USD).abs();
  if (apart.times(10_000).lte(OPENING_MARKET_CAP_USD * MOST_ROUNDING_BPS)) return undefined;
  return `its pool would open at ${marketCapUsd} USD instead of ${OPENING_MARKET_CAP_USD}`;
}

function devBuyProblem(plan: LaunchPlan, base: TokenInfo, quote: TokenInfo): string | undefined {
  const result = quoteDevBuy(plan, base, quote, { tokensRaw: DEV_BUY_MAX_RAW });
  switch (result.fill) {
    case 'tooSmall':
      return 'the largest dev buy would cost less than a raw unit of it';
    case 'tooLarge':
      return 'the largest dev buy would cost more raw units of it than 64 bits hold';
    case 'filled': {
      const rounding = devBuyRounding(result.quoteRaw);
      return rounding && `the largest dev buy ${rounding}`;
    }
  }
}

/** Mints that sort before and after every other one: a token's own mint is known only at its launch. */
const ENDS = [new PublicKey(new Uint8Array(32)), new PublicKey(new Uint8Array(32).fill(255))];

export interface PricedQuote {
  readonly quote: TokenInfo;
  /** Exact decimal. */
  readonly quotePriceUsd: string;
}

/** Returns why launches in one of the open tiers are not possible; undefined if they are, or no tier is open. */
export async function openingProblem(
  exchange: Pick<LaunchPools, 'planLaunch' | 'poolFees'>,
  priced: PricedQuote,
): Promise<string | undefined> {
  const problems = await Promise.all(FEE_TIERS.map((feeTier) => tierProblem(exchange, feeTier, priced)));
  return problems.find((problem) => problem !== undefined);
}

async function tierProblem(
  exchange: Pick<LaunchPools, 'planLaunch' | 'poolFees'>,
  feeTier: FeeTier,
  priced: PricedQuote,
): Promise<string | undefined> {
  try {
    return pairProblem(exchange, await exchange.poolFees(feeTier), { mode: 'standard', feeTier }, priced);
  } catch (error) {
    if (error instanceof TierClosedError) return undefined;
    throw error;
  }
}

/** Returns why launches of this kind with a quote token at this price are not possible; undefined if they are. */
export function pairProblem(
  exchange: Pick<LaunchPools, 'planLaunch'>,
  fees: PoolFees,
  fee: FeeMode,
  { quote, quotePriceUsd }: PricedQuote,
): string | undefined {
  const { poolFeeTier } = feeModelOf(fee);
  const problems = ENDS.map((baseMint) => {
    const request = { baseMint, quote, poolFeeTier, quotePriceUsd, openingMarketCapUsd: OPENING_MARKET_CAP_USD };
    const base = { mint: baseMint, decimals: TOKEN_DECIMALS, tokenProgram: TOKEN_PROGRAM_ID };
    const planned = planOrProblem(() => exchange.planLaunch(request, fees, fee, TOTAL_SUPPLY_RAW), base, quote);
    return 'problem' in planned ? planned.problem : undefined;
  });
  return problems.find((problem) => problem !== undefined);
}
