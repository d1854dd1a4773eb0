import { getCpiGuard, getMemoTransfer, TOKEN_PROGRAM_ID, unpackAccount } from '@solana/spl-token';
import type { AccountInfo, PublicKey } from '@solana/web3.js';

/** @param info a token account at `address` */
export function demandsMemos(address: PublicKey, info: AccountInfo<Buffer>): boolean {
  if (info.owner.equals(TOKEN_PROGRAM_ID)) return false;
  return getMemoTransfer(unpackAccount(address, info, info.owner))?.requireIncomingTransferMemos === true;
}

/**
 * Rights that only the owner's key can give away or set, in words: the platform's keys never sign such an instruction.
 * @param info a token account at `address`
 */
export function alterationsOf(address: PublicKey, info: AccountInfo<Buffer>): string[] {
  const account = unpackAccount(address, info, info.owner);
  const { delegate, delegatedAmount, closeAuthority } = account;
  const isGuarded = !info.owner.equals(TOKEN_PROGRAM_ID) && getCpiGuard(account)?.lockCpi === true;
  return [
    ...(delegate ? [`${delegate.toBase58()} may send ${delegatedAmount} of it`] : []),
    ...(closeAuthority ? [`${closeAuthority.toBase58()} may close it`] : []),
    ...(demandsMemos(address, info) ? ['it demands memos'] : []),
    ...(isGuarded ? ['it refuses transfers by programs'] : []),
  ];
}
