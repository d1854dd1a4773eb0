import type { LaunchPlan } from './exchange.ts';
import { grossOfNet, runSwap, type SwapOutcome, type SwapPool, transferTax } from './pool-math.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface DevBuyFill {
  readonly tokensRaw: bigint;
  /** To the creator, net of tax. */
  readonly netTokensRaw: bigint;
  /** With pool fee and tax. */
  readonly quoteRaw: bigint;
}

export type DevBuyOrder = { readonly tokensRaw: bigint } | { readonly quoteRaw: bigint };

export function plannedPool(plan: LaunchPlan): SwapPool {
  const { tickLower, tickUpper, opening } = plan;
  const total = plan.positions[0].liquidity + plan.positions[1].liquidity;
  return {
    sqrtPriceX64: BigInt(opening.sqrtPriceX64),
    tick: opening.tick,
    // At its lower tick a range above the price is active; at its upper tick a range below it is not yet.
    liquidity: opening.tick < tickUpper ? total : 0n,
    ticks: [
      { tick: tickLower, liquidityNet: total },
      { tick: tickUpper, liquidityNet: -total },
    ],
  };
}

/** Null if the pool cannot fill it. */
export function devBuyOutcome(plan: LaunchPlan, tokensRaw: bigint): SwapOutcome | null {
  const order = { zeroForOne: !plan.opening.baseIsToken0, exact: 'out', amount: tokensRaw } as const;
  return runSwap(plannedPool(plan), plan.fees, order);
}

/** An order in quote tokens becomes the tokens they buy, at exactly their price. */
export function quoteDevBuy(
  plan: LaunchPlan,
  base: TokenInfo,
  quote: TokenInfo,
  order: DevBuyOrder,
): DevBuyFill | null {
  const tokensRaw = 'tokensRaw' in order ? order.tokensRaw : tokensFor(plan, quote, order.quoteRaw);
  const outcome = tokensRaw === null ? null : devBuyOutcome(plan, tokensRaw);
  if (!outcome) return null;
  return {
    tokensRaw: outcome.amountOut,
    netTokensRaw: outcome.amountOut - transferTax(base.transferFee, outcome.amountOut),
    quoteRaw: grossOfNet(quote.transferFee, outcome.amountIn),
  };
}

function tokensFor(plan: LaunchPlan, quote: TokenInfo, quoteRaw: bigint): bigint | null {
  const amount = quoteRaw - transferTax(quote.transferFee, quoteRaw);
  const order = { zeroForOne: !plan.opening.baseIsToken0, exact: 'in', amount } as const;
  return runSwap(plannedPool(plan), plan.fees, order)?.amountOut ?? null;
}
