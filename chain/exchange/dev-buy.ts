import type { LaunchPlan } from './exchange.ts';
import {
  grossOfNet,
  runSwap,
  type SwapOutcome,
  type SwapPool,
  type SwapRefusal,
  type SwapResult,
  transferTax,
} from './pool-math.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface DevBuyFill {
  readonly tokensRaw: bigint;
  /** To the creator, net of tax. */
  readonly netTokensRaw: bigint;
  /** With pool fee and tax. */
  readonly quoteRaw: bigint;
}

export type DevBuyResult = ({ readonly fill: 'filled' } & DevBuyFill) | { readonly fill: SwapRefusal };

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

/** @throws RangeError with the reason if the pool does not fill it */
export function devBuyOutcome(plan: LaunchPlan, tokensRaw: bigint): SwapOutcome {
  const result = runExactOut(plan, tokensRaw);
  if (result.fill === 'filled') return result.outcome;
  throw new RangeError(`${DEV_BUY_PROBLEMS[result.fill]}: a dev buy of ${tokensRaw} raw units`);
}

const DEV_BUY_PROBLEMS: Readonly<Record<SwapRefusal, string>> = {
  tooSmall: 'the pool takes nothing for it',
  tooLarge: 'the pool cannot fill it',
};

/** An order in quote tokens becomes the tokens they buy, at exactly their price, and never costs more than the order. */
export function quoteDevBuy(plan: LaunchPlan, base: TokenInfo, quote: TokenInfo, order: DevBuyOrder): DevBuyResult {
  const most = 'tokensRaw' in order ? order : tokensFor(plan, quote, order.quoteRaw);
  const result = 'fill' in most ? most : runExactOut(plan, most.tokensRaw);
  if (result.fill !== 'filled') return result;
  const { amountIn, amountOut } = result.outcome;
  const netTokensRaw = amountOut - transferTax(base.transferFee, amountOut);
  if (netTokensRaw === 0n) return { fill: 'tooSmall' };
  return {
    fill: 'filled',
    tokensRaw: amountOut,
    netTokensRaw,
    quoteRaw: grossOfNet(quote.transferFee, amountIn),
  };
}

function runExactOut(plan: LaunchPlan, tokensRaw: bigint): SwapResult {
  const order = { zeroForOne: !plan.opening.baseIsToken0, exact: 'out', amount: tokensRaw } as const;
  return runSwap(plannedPool(plan), plan.fees, order);
}

function tokensFor(
  plan: LaunchPlan,
  quote: TokenInfo,
  quoteRaw: bigint,
): { readonly tokensRaw: bigint } | { readonly fill: SwapRefusal } {
  const amount = quoteRaw - transferTax(quote.transferFee, quoteRaw);
  const order = { zeroForOne: !plan.opening.baseIsToken0, exact: 'in', amount } as const;
  const result = runSwap(plannedPool(plan), plan.fees, order);
  return result.fill === 'filled' ? { tokensRaw: result.outcome.amountOut } : result;
}
