import type { AccountInfo, PublicKey } from '@solana/web3.js';
import { type AccountKind, type AccountReader, openAccount } from '../account-reader.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';
import { TICKS_PER_ARRAY } from '../tick-arrays.ts';

/** `TickArrayState` of the published interface. */
export const TICK_ARRAY: AccountKind = { name: 'TickArrayState', program: CLMM_PROGRAM_ID, bytes: 10_240 };

/** Rewards, and limit orders of newer versions. */
const REST_OF_TICK_BYTES = 3 * 16 + 52;

export interface TickAccount {
  readonly tick: number;
  readonly liquidityNet: bigint;
  readonly liquidityGross: bigint;
  /** On the side away from the current tick, Q64.64. */
  readonly feeGrowthOutside0X64: bigint;
  readonly feeGrowthOutside1X64: bigint;
}

/** `ticks`: initialised ones, ascending. */
export interface TickArrayAccount {
  readonly pool: PublicKey;
  readonly start: number;
  readonly ticks: readonly TickAccount[];
}

export function decodeTickArray(address: PublicKey, account: AccountInfo<Buffer> | null): TickArrayAccount {
  const reader = openAccount(address, account, TICK_ARRAY);
  const pool = reader.key();
  const start = reader.i32();
  const ticks = Array.from({ length: TICKS_PER_ARRAY }, () => decodeTick(reader));
  return { pool, start, ticks: ticks.filter(({ liquidityGross }) => liquidityGross > 0n) };
}

function decodeTick(reader: AccountReader): TickAccount {
  const tick = reader.i32();
  const liquidityNet = reader.i128();
  const liquidityGross = reader.u128();
  const [feeGrowthOutside0X64, feeGrowthOutside1X64] = [reader.u128(), reader.u128()];
  reader.skip(REST_OF_TICK_BYTES);
  return { tick, liquidityNet, liquidityGross, feeGrowthOutside0X64, feeGrowthOutside1X64 };
}
