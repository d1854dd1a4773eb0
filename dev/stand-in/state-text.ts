import { tickAtSqrtPrice } from '../../chain/exchange/pool-math.ts';
import { FEE_TIERS, type FeeTier } from '../../domain/token-facts.ts';
import { ByteReader, ByteWriter } from './byte-codec.ts';
import { type LastTrade, type StandInState, localFees, type Pair } from './state.ts';

export const STATE_MEMO_PREFIX = 'pool/2:';

const FLAG_BASE_IS_TOKEN0 = 2;
/** The tick is one below the price's. */
const FLAG_TICK_BELOW_PRICE = 4;
const FLAG_TRADE = 8;
const FLAG_ZERO_FOR_ONE = 16;
const FLAG_OPEN_TICK_NEGATIVE = 32;

/**
 * Base 91: a flag byte, two 6-byte Fee Key tags, numbers after their lengths; short, so that a platform swap fits a
 * packet. Layout 2: sequence, |open tick| / 120, two liquidities, square-root price, growth (token0, token1), collected
 * growth of both positions, input and output of the last trade.
 */
export function encodeState(state: StandInState): string {
  const writer = new ByteWriter();
  writer.byte(flagsOf(state));
  for (const tag of state.feeKeyTags) writer.raw(Buffer.from(tag, 'hex'));
  const { growthX64, collectedX64, trade } = state;
  const head = [BigInt(state.sequence), BigInt(Math.abs(state.openTick) / spacingOf(state)), ...state.liquidity];
  const fees = [state.sqrtPriceX64, ...growthX64, ...collectedX64.flat()];
  writer.integers([...head, ...fees, ...(trade ? [trade.amountIn, trade.amountOut] : [])]);
  return STATE_MEMO_PREFIX + writer.toText();
}

/** Throws a RangeError. */
export function decodeState(text: string): StandInState {
  if (!text.startsWith(STATE_MEMO_PREFIX)) throw new RangeError(`"${text}" is no state of a local pool`);
  const reader = new ByteReader(text.slice(STATE_MEMO_PREFIX.length));
  const flags = reader.byte();
  const feeKeyTags = [tagOf(reader), tagOf(reader)] as const;
  const numbers = reader.integers(flags & FLAG_TRADE ? NUMBERS + 2 : NUMBERS);
  if (!reader.atEnd) throw new RangeError(`"${text}" is longer than a state`);
  return stateOf(flags, feeKeyTags, numbers);
}

const TIER_FLAGS: Readonly<Record<FeeTier, number>> = { '1%': 0, '2%': 1 };

function tierOf(flags: number): FeeTier {
  const tierFlags = flags & FEE_TIERS.reduce((all, tier) => all | TIER_FLAGS[tier], 0);
  const tier = FEE_TIERS.find((one) => TIER_FLAGS[one] === tierFlags);
  if (tier === undefined) throw new RangeError(`flags ${flags} name no fee tier`);
  return tier;
}

/** Numbers without the last trade. */
const NUMBERS = 11;

function stateOf(flags: number, feeKeyTags: readonly [string, string], numbers: readonly bigint[]): StandInState {
  const at = (index: number) => numbers[index] ?? 0n;
  const pairAt = (index: number): Pair => [at(index), at(index + 1)];
  const tier = tierOf(flags);
  const openTick = Number(at(1)) * localFees(tier).tickSpacing;
  const sqrtPriceX64 = at(4);
  return {
    sequence: Number(at(0)),
    tier,
    baseIsToken0: (flags & FLAG_BASE_IS_TOKEN0) !== 0,
    openTick: flags & FLAG_OPEN_TICK_NEGATIVE ? -openTick : openTick,
    liquidity: pairAt(2),
    feeKeyTags,
    sqrtPriceX64,
    tick: tickAtSqrtPrice(sqrtPriceX64) - (flags & FLAG_TICK_BELOW_PRICE ? 1 : 0),
    growthX64: pairAt(5),
    collectedX64: [pairAt(7), pairAt(9)],
    trade: flags & FLAG_TRADE ? tradeOf(flags, pairAt(NUMBERS)) : null,
  };
}

function tradeOf(flags: number, [amountIn, amountOut]: Pair): LastTrade {
  return { zeroForOne: (flags & FLAG_ZERO_FOR_ONE) !== 0, amountIn, amountOut };
}

function tagOf(reader: ByteReader): string {
  return reader.raw(6).toString('hex');
}

/** Parses untrusted text; null if invalid. */
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
    TIER_FLAGS[state.tier],
    state.baseIsToken0 && FLAG_BASE_IS_TOKEN0,
    state.tick !== tickAtSqrtPrice(state.sqrtPriceX64) && FLAG_TICK_BELOW_PRICE,
    state.trade !== null && FLAG_TRADE,
    state.trade?.zeroForOne && FLAG_ZERO_FOR_ONE,
    state.openTick < 0 && FLAG_OPEN_TICK_NEGATIVE,
  ];
  return set.reduce<number>((flags, flag) => flags | (flag || 0), 0);
}

function spacingOf(state: StandInState): number {
  return localFees(state.tier).tickSpacing;
}
