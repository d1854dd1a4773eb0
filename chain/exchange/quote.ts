import type { PublicKey } from '@solana/web3.js';
import type { QuoteRequest, SwapQuote } from './exchange.ts';
import {
  grossOfNet,
  runSwap,
  type SwapOutcome,
  type SwapPool,
  type SwapRates,
  transferTax,
  U64_MAX,
} from './pool-math.ts';

/** A quote together with what the swap does to the pool. */
export type Fill =
  | {
      readonly fillable: true;
      readonly quote: SwapQuote & { fillable: true };
      readonly outcome: SwapOutcome;
      readonly zeroForOne: boolean;
    }
  | { readonly fillable: false; readonly quote: SwapQuote & { fillable: false } };

/** The pool a swap is quoted on, and which of its mints is token0. */
export interface QuotedPool extends SwapPool {
  readonly token0: PublicKey;
  readonly rates: SwapRates;
}

/**
 * Fills a trader's order: transfer taxes are taken off on the way in and out, as the exchange's program does. An order
 * that cannot be filled whole is answered as such; nothing is thrown.
 */
export function fillOrder(pool: QuotedPool, request: QuoteRequest): Fill {
  const { base, quote, side, exact, amount } = request;
  if (amount <= 0n || amount > U64_MAX) return refuse(`an amount of ${amount} raw units cannot be swapped`);
  const [input, output] = side === 'buy' ? [quote, base] : [base, quote];
  const zeroForOne = input.mint.equals(pool.token0);
  const poolAmount =
    exact === 'in' ? amount - transferTax(input.transferFee, amount) : grossOfNet(output.transferFee, amount);
  const outcome = runSwap(pool, pool.rates, { zeroForOne, exact, amount: poolAmount });
  if (!outcome) return refuse(`the pool's liquidity does not fill a ${side} of exactly ${amount} raw units ${exact}`);
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
