import { tickAtSqrtPrice } from '../pool-math.ts';
import { ByteReader, ByteWriter } from './byte-codec.ts';
import { type LastTrade, type StandInState, localFees, type Pair } from './state.ts';

/** Marks the memo that spells out a pool's state, and the version of its layout. */
export const STATE_MEMO_PREFIX = 'pool/1:';

const FLAG_TIER_2 = 1;
const FLAG_BASE_IS_TOKEN0 = 2;
/** The price stands on a boundary that was crossed downwards: the tick is one below the price's. */
const FLAG_TICK_BELOW_PRICE = 4;
const FLAG_TRADE = 8;
const FLAG_ZERO_FOR_ONE = 16;
const FLAG_OPEN_TICK_NEGATIVE = 32;

/**
 * The complete state as text: the prefix and base64url of one flag byte followed by the numbers, each behind its length.
 * Layout 1: flags, sequence, |open tick| / 120, two liquidities, two Fee Key tags of 8 bytes, square-root price, growth,
 * protocol fees, fund fees (token0, token1 each), collected growth of both positions, and input and output of the last
 * trade where there is one.
 */
export function encodeState(state: StandInState): string {
  const writer = new ByteWriter();
  writer.byte(flagsOf(state));
  const numbers = [BigInt(state.sequence), BigInt(Math.abs(state.openTick) / spacingOf(state)), ...state.liquidity];
  for (const number of numbers) writer.integer(number);
  for (const tag of state.feeKeyTags) writer.raw(Buffer.from(tag, 'hex'));
  const { growthX64, protocolFees, fundFees, collectedX64, trade } = state;
  const totals = [state.sqrtPriceX64, ...growthX64, ...protocolFees, ...fundFees, ...collectedX64.flat()];
  for (const number of totals) writer.integer(number);
  if (trade) [trade.amountIn, trade.amountOut].forEach((amount) => writer.integer(amount));
  return STATE_MEMO_PREFIX + writer.toText();
}

/** Reads a state's text. Throws a RangeError when it is none. */
export function decodeState(text: string): StandInState {
  if (!text.startsWith(STATE_MEMO_PREFIX)) throw new RangeError(`"${text}" is no state of a local pool`);
  const reader = new ByteReader(text.slice(STATE_MEMO_PREFIX.length));
  const flags = reader.byte();
  const head = headOf(reader, flags);
  const sqrtPriceX64 = reader.integer();
  const state: StandInState = {
    ...head,
    sqrtPriceX64,
    tick: tickAtSqrtPrice(sqrtPriceX64) - (flags & FLAG_TICK_BELOW_PRICE ? 1 : 0),
    growthX64: pairOf(reader),
    protocolFees: pairOf(reader),
    fundFees: pairOf(reader),
    collectedX64: [pairOf(reader), pairOf(reader)],
    trade: tradeOf(reader, flags),
  };
  if (!reader.atEnd) throw new RangeError(`"${text}" is longer than a state`);
  return state;
}

/** Reads a text that anybody may have written: null when it is no state. */
export function parseState(text: string): StandInState | null {
  try {
    return decodeState(text);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function flagsOf(state: StandInState): number {
  const set = [
    state.tier === '2%' && FLAG_TIER_2,
    state.baseIsToken0 && FLAG_BASE_IS_TOKEN0,
    state.tick !== tickAtSqrtPrice(state.sqrtPriceX64) && FLAG_TICK_BELOW_PRICE,
    state.trade !== null && FLAG_TRADE,
    state.trade?.zeroForOne && FLAG_ZERO_FOR_ONE,
    state.openTick < 0 && FLAG_OPEN_TICK_NEGATIVE,
  ];
  return set.reduce<number>((flags, flag) => flags | (flag || 0), 0);
}

function headOf(reader: ByteReader, flags: number) {
  const tier = flags & FLAG_TIER_2 ? '2%' : '1%';
  const sequence = Number(reader.integer());
  const openTick = Number(reader.integer()) * localFees(tier).tickSpacing;
  return {
    sequence,
    tier,
    baseIsToken0: (flags & FLAG_BASE_IS_TOKEN0) !== 0,
    openTick: flags & FLAG_OPEN_TICK_NEGATIVE ? -openTick : openTick,
    liquidity: pairOf(reader),
    feeKeyTags: [tagOf(reader), tagOf(reader)],
  } as const;
}

function pairOf(reader: ByteReader): Pair {
  return [reader.integer(), reader.integer()];
}

function tagOf(reader: ByteReader): string {
  return reader.raw(8).toString('hex');
}

function tradeOf(reader: ByteReader, flags: number): LastTrade | null {
  if (!(flags & FLAG_TRADE)) return null;
  const zeroForOne = (flags & FLAG_ZERO_FOR_ONE) !== 0;
  return { zeroForOne, amountIn: reader.integer(), amountOut: reader.integer() };
}

function spacingOf(state: StandInState): number {
  return localFees(state.tier).tickSpacing;
}
