import type { AccountInfo, PublicKey } from '@solana/web3.js';
import { type AccountKind, openAccount } from '../account-reader.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';

/** Layout `PersonalPositionState` of the program's published interface. */
export const PERSONAL_POSITION: AccountKind = { name: 'PersonalPositionState', program: CLMM_PROGRAM_ID, bytes: 281 };

/** Where a position names its pool. */
export const POSITION_POOL_OFFSET = 41;

/** A position as the program keeps it. */
export interface PersonalPosition {
  readonly nftMint: PublicKey;
  readonly pool: PublicKey;
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly liquidity: bigint;
  /** Fee growth inside the range when the position was last touched, Q64.64, token0 and token1. */
  readonly insideLastX64: readonly [bigint, bigint];
  /** Fees booked at that time and not collected, raw units. */
  readonly owed: readonly [bigint, bigint];
}

/** Decodes a position. Throws when the account is none. */
export function decodePersonalPosition(address: PublicKey, account: AccountInfo<Buffer> | null): PersonalPosition {
  const reader = openAccount(address, account, PERSONAL_POSITION).skip(1);
  return {
    nftMint: reader.key(),
    pool: reader.key(),
    tickLower: reader.i32(),
    tickUpper: reader.i32(),
    liquidity: reader.u128(),
    insideLastX64: [reader.u128(), reader.u128()],
    owed: [reader.u64(), reader.u64()],
  };
}
