import type { AccountInfo, PublicKey } from '@solana/web3.js';
import { type AccountKind, openAccount } from '../account-reader.ts';
import { LOCK_PROGRAM_ID } from '../programs.ts';

/** `LockedClmmPositionState` of the lock program's published interface. */
export const LOCKED_POSITION: AccountKind = { name: 'LockedClmmPositionState', program: LOCK_PROGRAM_ID, bytes: 241 };

export const LOCK_OWNER_OFFSET = 9;
export const LOCK_POOL_OFFSET = 41;

export interface LockAccount {
  readonly positionOwner: PublicKey;
  readonly pool: PublicKey;
  readonly position: PublicKey;
  readonly nftAccount: PublicKey;
  readonly feeKeyMint: PublicKey;
}

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
