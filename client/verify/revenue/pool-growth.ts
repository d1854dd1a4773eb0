import { readUint, toBase58 } from '../../solana/bytes.ts';
import { RAYDIUM_CLMM_PROGRAM } from '../../solana/programs.ts';
import type { AccountState } from '../chain.ts';

/** Token0 and token1. */
export type Pair = readonly [bigint, bigint];

/** Fees of a position's whole life, raw units. */
export interface EarnedFees {
  readonly mints: readonly [string, string];
  /** Of all trades so far. */
  readonly ever: Pair;
  /** Of them, not collected yet. */
  readonly claimable: Pair;
}

/** `PoolState`, `TickArrayState` and `PersonalPositionState` of the published interface. */
const POOL_BYTES = 1_544;
const ARRAY_BYTES = 10_240;
const POSITION_BYTES = 281;

const Q64 = 1n << 64n;

/**
 * Computes the fees that a position ever earned: its liquidity times the growth of fees inside its range. The position
 * must be as old as the ends of its range, as those of a launch are. Null where an account is not Raydium's.
 */
export function earnedFees(
  pool: AccountState,
  position: AccountState,
  arrays: readonly [AccountState, AccountState],
): EarnedFees | null {
  if (!isPool(pool) || !isOf(position, POSITION_BYTES)) return null;
  if (!arrays.every((array) => isOf(array, ARRAY_BYTES))) return null;
  const [lowerTick, upperTick] = [int32(position.data, 73), int32(position.data, 77)];
  const [lower, upper] = [outsideOf(arrays[0].data, lowerTick), outsideOf(arrays[1].data, upperTick)];
  if (!lower || !upper) return null;
  const liquidity = readUint(position.data, 81, 16);
  const tick = int32(pool.data, 269);
  const fees = ([0, 1] as const).map((token) => {
    const total = readUint(pool.data, 277 + 16 * token, 16);
    const below = tick >= lowerTick ? lower[token] : minus(total, lower[token]);
    const above = tick < upperTick ? upper[token] : minus(total, upper[token]);
    const inside = minus(minus(total, below), above);
    const last = readUint(position.data, 97 + 16 * token, 16);
    const owed = readUint(position.data, 129 + 8 * token, 8);
    return { ever: (inside * liquidity) / Q64, claimable: owed + (minus(inside, last) * liquidity) / Q64 };
  });
  const [first, second] = fees;
  if (!first || !second) return null;
  return {
    mints: mintsOfPool(pool),
    ever: [first.ever, second.ever],
    claimable: [first.claimable, second.claimable],
  };
}

function isOf({ program, data }: AccountState, bytes: number): boolean {
  return program === RAYDIUM_CLMM_PROGRAM && data.length === bytes;
}

export function isPool(state: AccountState): boolean {
  return isOf(state, POOL_BYTES);
}

export function mintsOfPool({ data }: AccountState): readonly [string, string] {
  return [toBase58(data.subarray(73, 105)), toBase58(data.subarray(105, 137))];
}

export function poolOfPosition({ data }: AccountState): string {
  return toBase58(data.subarray(41, 73));
}

/** Discriminator, pool and first tick; then ticks of 168 bytes. */
const TICKS_AT = 44;
const TICK_BYTES = 168;
const TICKS = 60;

/** Growth outside of an initialised tick; null without it. */
function outsideOf(data: Uint8Array, tick: number): Pair | null {
  for (let index = 0; index < TICKS; index++) {
    const at = TICKS_AT + index * TICK_BYTES;
    const gross = readUint(data, at + 20, 16);
    if (gross > 0n && int32(data, at) === tick) return [readUint(data, at + 36, 16), readUint(data, at + 52, 16)];
  }
  return null;
}

/** Subtracts as the program does, modulo 2^128. */
function minus(from: bigint, what: bigint): bigint {
  return BigInt.asUintN(128, from - what);
}

function int32(data: Uint8Array, at: number): number {
  return Number(BigInt.asIntN(32, readUint(data, at, 4)));
}
