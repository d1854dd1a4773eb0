import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import type {
  HarvestRequest,
  InstructionGroup,
  PoolState,
  QuoteRequest,
  SwapQuote,
  SwapRequest,
} from '../../chain/exchange/exchange.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';
import { type Fill, fillOrder } from '../../chain/exchange/quote.ts';
import { accountOf, moveState, transfer } from './instructions.ts';
import type { StandInKeys } from './keys.ts';
import { afterHarvest, afterSwap, claimableOf, type StandInState, positionOf } from './state.ts';
import { decodeState, encodeState } from './state-text.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

// Measured: at most 6,400; room for a memo program that charges per byte.
const SWAP_COMPUTE_UNITS = 80_000;
const HARVEST_COMPUTE_UNITS = 40_000;

export function fillOn(state: PoolState, request: QuoteRequest): Fill {
  const { sqrtPriceX64, tick, ticks, activeLiquidity: liquidity, token0, fees } = state;
  return fillOrder({ sqrtPriceX64, tick, ticks, liquidity, token0, rates: fees }, request);
}

/**
 * Builds a swap for its quoted state only: the pool account goes from this state's key to the next one's. Throws a
 * RangeError if not fillable or past its limit.
 */
export function buildSwap(keys: StandInKeys, request: SwapRequest): InstructionGroup {
  const { base, quote, side, owner, inputTokenAccount, outputTokenAccount } = request;
  const fill = fillOn(request.state, request);
  if (!fill.fillable) throw new RangeError(fill.quote.reason);
  assertWithinLimit(request, fill.quote);
  const [input, output] = side === 'buy' ? [quote, base] : [base, quote];
  const { pool, adapterState } = request.state;
  const next = afterSwap(decodeState(adapterState), fill.outcome, fill.zeroForOne);
  const move = moveTo(keys, request.state, request, next);
  return {
    instructions: [
      transfer(input, inputTokenAccount, accountOf(input, pool), owner, fill.quote.amountIn),
      transfer(output, accountOf(output, pool), outputTokenAccount, pool, fill.quote.poolOut),
      move.instruction,
      memoInstruction(encodeState(next)),
    ],
    signers: move.signers,
    computeUnits: SWAP_COMPUTE_UNITS,
    lookupAddresses: [base.mint, quote.mint],
  };
}

/** The holder transfers the key to itself as proof. Nothing if nothing is due. */
export function buildHarvest(keys: StandInKeys, request: HarvestRequest, holderAccount: PublicKey): InstructionGroup {
  const { pool: state, base, quote, holder, feeKeyMint } = request;
  const current = decodeState(state.adapterState);
  const position = positionOf(current, feeKeyMint);
  const { baseRaw, quoteRaw } = claimableOf(current, position);
  const next = afterHarvest(current, position);
  const move = next === current ? null : moveTo(keys, state, request, next);
  const feeKey = { mint: feeKeyMint, decimals: 0, tokenProgram: TOKEN_PROGRAM_ID };
  const pay = (token: TokenInfo, to: PublicKey, amount: bigint) =>
    amount === 0n ? [] : [transfer(token, accountOf(token, state.pool), to, state.pool, amount)];
  return {
    instructions: [
      transfer(feeKey, holderAccount, holderAccount, holder, 1n),
      ...pay(base, request.baseAccount, baseRaw),
      ...pay(quote, request.quoteAccount, quoteRaw),
      ...(move ? [move.instruction] : []),
    ],
    signers: move?.signers ?? [],
    computeUnits: HARVEST_COMPUTE_UNITS,
    lookupAddresses: [base.mint, quote.mint],
  };
}

function moveTo(
  keys: StandInKeys,
  { pool, adapterState }: PoolState,
  { base, quote }: Pick<QuoteRequest, 'base' | 'quote'>,
  next: StandInState,
) {
  const poolKey = keys.pool(base.mint, quote.mint, next.tier);
  if (!poolKey.publicKey.equals(pool)) throw new Error(`${pool.toBase58()} is not the pool of ${base.mint.toBase58()}`);
  const from = keys.state(pool, adapterState);
  const to = keys.state(pool, encodeState(next));
  return { instruction: moveState(pool, from.publicKey, to.publicKey), signers: [poolKey, from] };
}

function assertWithinLimit({ exact, limit, side }: SwapRequest, quote: SwapQuote & { fillable: true }): void {
  if (exact === 'in' && quote.amountOut < limit) {
    throw new RangeError(`the ${side} gives ${quote.amountOut} raw units, at least ${limit} were asked for`);
  }
  if (exact === 'out' && quote.amountIn > limit) {
    throw new RangeError(`the ${side} takes ${quote.amountIn} raw units, at most ${limit} were offered`);
  }
}
