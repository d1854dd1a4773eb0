import type { InstructionGroup, PoolState, QuoteRequest, SwapQuote, SwapRequest } from '../exchange.ts';
import { type Fill, fillOrder } from '../quote.ts';
import { swapInstruction } from './instructions/swap.ts';
import { lookupAddressesOf } from './lookup.ts';
import { accountsOfState, notesOf, type PoolNotes } from './pool-notes.ts';
import { arraysAhead, tickArrayStart } from './tick-arrays.ts';

// Measured, April 2026: docs/mainnet.md.
const SWAP_COMPUTE_UNITS = 300_000;

/** The program wants the next initialised array too, and the price may move before landing. */
const ARRAYS_BEYOND = 2;

const SWAPS_DISABLED = 1 << 4;

/** Fills an order; not fillable if Raydium disabled swaps or takes fees in one token. */
export function fillOn(state: PoolState, request: QuoteRequest): Fill {
  const obstacle = obstacleIn(notesOf(state));
  if (obstacle) return { fillable: false, quote: { fillable: false, reason: obstacle } };
  const { sqrtPriceX64, tick, ticks, activeLiquidity: liquidity, token0, fees } = state;
  return fillOrder({ sqrtPriceX64, tick, ticks, liquidity, token0, rates: fees }, request);
}

function obstacleIn({ status, feeOn }: PoolNotes): string | null {
  if (status & SWAPS_DISABLED) return 'the exchange has stopped swaps of this pool';
  return feeOn === 0 ? null : 'the pool takes its fees in one token alone, which this version does not quote';
}

/** Throws a RangeError if not fillable or beyond its limit. */
export function buildSwap(request: SwapRequest): InstructionGroup {
  const fill = fillOn(request.state, request);
  if (!fill.fillable) throw new RangeError(fill.quote.reason);
  assertWithinLimit(request, fill.quote);
  const { state, owner, exact, amount, limit } = request;
  const { zeroForOne, quote } = fill;
  return {
    instructions: [
      swapInstruction({
        pool: accountsOfState(state, request),
        owner,
        zeroForOne,
        exact,
        amount,
        limit,
        inputAccount: request.inputTokenAccount,
        outputAccount: request.outputTokenAccount,
        tickArrays: arraysOf(state, zeroForOne, quote.tickAfter),
      }),
    ],
    signers: [],
    computeUnits: SWAP_COMPUTE_UNITS,
    lookupAddresses: lookupAddressesOf(request.quote.mint),
  };
}

/** Tick arrays from the current to the final tick, plus `ARRAYS_BEYOND`. */
function arraysOf(state: PoolState, zeroForOne: boolean, tickAfter: number): number[] {
  const { tickSpacing } = state.fees;
  const ahead = arraysAhead(notesOf(state).tickArrays, state.tick, tickSpacing, zeroForOne);
  const last = tickArrayStart(tickAfter, tickSpacing);
  const crossed = ahead.filter((start) => (zeroForOne ? start >= last : start <= last)).length;
  return ahead.slice(0, crossed + ARRAYS_BEYOND);
}

function assertWithinLimit({ exact, limit, side }: SwapRequest, quote: SwapQuote & { fillable: true }): void {
  if (exact === 'in' && quote.amountOut < limit) {
    throw new RangeError(`the ${side} gives ${quote.amountOut} raw units, at least ${limit} were asked for`);
  }
  if (exact === 'out' && quote.amountIn > limit) {
    throw new RangeError(`the ${side} takes ${quote.amountIn} raw units, at most ${limit} were offered`);
  }
}
