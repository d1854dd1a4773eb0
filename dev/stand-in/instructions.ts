import {
  ACCOUNT_SIZE,
  AuthorityType,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { TokenInfo } from '../../chain/tokens/token.ts';

export const POSITION_UNITS = 2n;

const TAXED_ACCOUNT_SIZE = 182;
const TOKEN_2022_ACCOUNT_SIZE = 170;

/** Returns 6,960 lamports a byte, 128 bytes overhead. */
export function rentExemptLamports(bytes: number): number {
  return (bytes + 128) * 6_960;
}

/** Lamports. */
export function tokenAccountRent(token: TokenInfo): number {
  if (token.tokenProgram.equals(TOKEN_PROGRAM_ID)) return rentExemptLamports(ACCOUNT_SIZE);
  return rentExemptLamports(token.transferFee ? TAXED_ACCOUNT_SIZE : TOKEN_2022_ACCOUNT_SIZE);
}

export function accountOf(token: TokenInfo, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(token.mint, owner, true, token.tokenProgram);
}

/** `createAccount` would fail after a stranger's lamport. */
export function createAccountOnce(
  payer: PublicKey,
  account: PublicKey,
  space: number,
  programId: PublicKey,
): TransactionInstruction[] {
  return [
    SystemProgram.transfer({ fromPubkey: payer, toPubkey: account, lamports: rentExemptLamports(space) }),
    SystemProgram.allocate({ accountPubkey: account, space }),
    SystemProgram.assign({ accountPubkey: account, programId }),
  ];
}

/** Token-2022 withholds tax itself. */
export function transfer(
  token: TokenInfo,
  from: PublicKey,
  to: PublicKey,
  owner: PublicKey,
  amount: bigint,
): TransactionInstruction {
  return createTransferCheckedInstruction(from, token.mint, to, owner, amount, token.decimals, [], token.tokenProgram);
}

export function moveState(pool: PublicKey, from: PublicKey, to: PublicKey): TransactionInstruction {
  return createSetAuthorityInstruction(pool, from, AuthorityType.FreezeAccount, to);
}
