import {
  ACCOUNT_SIZE,
  AuthorityType,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { TokenInfo } from '../exchange.ts';

/** Units of the pool account's own token: one for each of the two positions. */
export const POSITION_UNITS = 2n;

/** Bytes of a Token-2022 account with the extensions that an associated account of a taxed mint has. */
const TAXED_ACCOUNT_SIZE = 182;
/** Bytes of a Token-2022 account with an immutable owner, as every associated account has. */
const TOKEN_2022_ACCOUNT_SIZE = 170;

/**
 * Lamports that make an account rent-exempt: 6,960 for each of its bytes and of 128 bytes of overhead (Solana's rent
 * sysvar: 3,480 lamports per byte-year, exempt from two years on).
 */
export function rentExemptLamports(bytes: number): number {
  return (bytes + 128) * 6_960;
}

/** Rent of an associated token account of a mint, in lamports. */
export function tokenAccountRent(token: TokenInfo): number {
  if (token.tokenProgram.equals(TOKEN_PROGRAM_ID)) return rentExemptLamports(ACCOUNT_SIZE);
  return rentExemptLamports(token.transferFee ? TAXED_ACCOUNT_SIZE : TOKEN_2022_ACCOUNT_SIZE);
}

/** The associated token account of a wallet or pool. */
export function accountOf(token: TokenInfo, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(token.mint, owner, true, token.tokenProgram);
}

/**
 * Makes a program's account that can exist only once. Three steps rather than the one of `createAccount`, which fails
 * where a stranger has sent a lamport to the address before.
 */
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

/** A checked transfer; Token-2022 withholds a mint's tax from it by itself. Raw units. */
export function transfer(
  token: TokenInfo,
  from: PublicKey,
  to: PublicKey,
  owner: PublicKey,
  amount: bigint,
): TransactionInstruction {
  return createTransferCheckedInstruction(from, token.mint, to, owner, amount, token.decimals, [], token.tokenProgram);
}

/** Hands the pool account from the key of one state to the key of the next. */
export function moveState(pool: PublicKey, from: PublicKey, to: PublicKey): TransactionInstruction {
  return createSetAuthorityInstruction(pool, from, AuthorityType.FreezeAccount, to);
}
