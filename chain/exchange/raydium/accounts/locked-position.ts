import type { AccountInfo, PublicKey } from '@solana/web3.js';
import { type AccountKind, openAccount } from '../account-reader.ts';
import { LOCK_PROGRAM_ID } from '../programs.ts';

/** Layout `LockedClmmPositionState` of the lock program's published interface. */
export const LOCKED_POSITION: AccountKind = { name: 'LockedClmmPositionState', program: LOCK_PROGRAM_ID, bytes: 241 };

/** Where a lock names the position's former owner and its pool. */
export const LOCK_OWNER_OFFSET = 9;
export const LOCK_POOL_OFFSET = 41;

/** What the lock program notes of a locked position. */
export interface LockAccount {
  /** Who locked it. */
  readonly positionOwner: PublicKey;
  readonly pool: PublicKey;
  /** Address of the position's account. */
  readonly position: PublicKey;
  /** Where the lock program keeps the position's NFT. */
  readonly nftAccount: PublicKey;
  readonly feeKeyMint: PublicKey;
}

/** Decodes a lock. Throws when the account is none. */
export function decodeLock(address: PublicKey, account: AccountInfo<Buffer> | null): LockAccount {
  const reader = openAccount(address, account, LOCKED_POSITION).skip(1);
  return {
    positionOwner: reader.key(),
    pool: reader.key(),
    position: reader.key(),
    nftAccount: reader.key(),
    feeKeyMint: reader.key(),
  };
}
