import type { AccountInfo, PublicKey } from '@solana/web3.js';
import { type AccountKind, openAccount } from '../account-reader.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';

/** `PersonalPositionState` of the published interface. */
export const PERSONAL_POSITION: AccountKind = { name: 'PersonalPositionState', program: CLMM_PROGRAM_ID, bytes: 281 };

export const POSITION_POOL_OFFSET = 41;

export interface PersonalPosition {
  readonly nftMint: PublicKey;
  readonly pool: PublicKey;
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly liquidity: bigint;
  /** Inside the range at the last update, Q64.64. */
  readonly insideLastX64: readonly [bigint, bigint];
  /** Recorded then, not collected, raw. */
  readonly owed: readonly [bigint, bigint];
}

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
