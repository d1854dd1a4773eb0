import type { PublicKey } from '@solana/web3.js';
import type { QuoteRequest, SwapQuote } from './exchange.ts';
import {
  grossOfNet,
  runSwap,
  type SwapOutcome,
  type SwapPool,
  type SwapRefusal,
  type SwapRates,
  transferTax,
  U64_MAX,
} from './pool-math.ts';

export type Fill =
  | {
      readonly fillable: true;
      readonly quote: SwapQuote & { fillable: true };
      readonly outcome: SwapOutcome;
      readonly zeroForOne: boolean;
    }
  | { readonly fillable: false; readonly quote: SwapQuote & { fillable: false } };

export interface QuotedPool extends SwapPool {
  readonly token0: PublicKey;
  readonly rates: SwapRates;
}

const PROBLEMS: Readonly<Record<SwapRefusal, string>> = {
  tooSmall: 'one side would be zero for',
  tooLarge: "the pool's liquidity does not fill",
};

/**
 * Fills an order with transfer taxes as the program takes them. One that cannot be filled whole is not fillable; never
 * throws.
 */
export function fillOrder(pool: QuotedPool, request: QuoteRequest): Fill {
  const { base, quote, side, exact, amount } = request;
  if (amount <= 0n || amount > U64_MAX) return refuse(`an amount of ${amount} raw units cannot be swapped`);
  const [input, output] = side === 'buy' ? [quote, base] : [base, quote];
  const zeroForOne = input.mint.equals(pool.token0);
  const poolAmount =
    exact === 'in' ? amount - transferTax(input.transferFee, amount) : grossOfNet(output.transferFee, amount);
  const result = runSwap(pool, pool.rates, { zeroForOne, exact, amount: poolAmount });
  if (result.fill !== 'filled')
    return refuse(`${PROBLEMS[result.fill]} a ${side} of exactly ${amount} raw units ${exact}`);
  const { outcome } = result;
  const taken = exact === 'in' ? amount : grossOfNet(input.transferFee, outcome.amountIn);
  const given = outcome.amountOut - transferTax(output.transferFee, outcome.amountOut);
  return { fillable: true, zeroForOne, outcome, quote: quoteOf(outcome, taken, given) };
}

function quoteOf(outcome: SwapOutcome, amountIn: bigint, amountOut: bigint): SwapQuote & { fillable: true } {
  return {
    fillable: true,
    amountIn,
    amountOut,
    poolIn: outcome.amountIn,
    poolOut: outcome.amountOut,
    sqrtPriceAfterX64: outcome.sqrtPriceX64,
    tickAfter: outcome.tick,
  };
}

function refuse(reason: string): Fill {
  return { fillable: false, quote: { fillable: false, reason } };
}
