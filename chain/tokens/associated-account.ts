import { createAssociatedTokenAccountIdempotentInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import type { TokenInfo } from '../exchange/exchange.ts';
import { baseTokenOf } from '../launch/pool-request.ts';

/** Upper bound of compute units for opening one associated token account. */
export const TOKEN_ACCOUNT_COMPUTE_UNITS = 40_000;

/** Opens the creator's token account for a dev buy, at the launch wallet's expense; nothing without one. */
export function creatorAccount(terms: LaunchTerms): TransactionInstruction[] {
  if (!terms.devBuy) return [];
  const launchWallet = new PublicKey(terms.addresses.launchWallet);
  return [createTokenAccount(launchWallet, baseTokenOf(terms), new PublicKey(terms.creator))];
}

/** Opens an associated token account unless it is there: a stranger may have opened it. */
export function createTokenAccount(payer: PublicKey, token: TokenInfo, owner: PublicKey): TransactionInstruction {
  const { mint, tokenProgram } = token;
  const account = tokenAccountOf(token, owner);
  return createAssociatedTokenAccountIdempotentInstruction(payer, account, owner, mint, tokenProgram);
}

/** Address of an owner's associated account, also for owners that are programs. */
export function tokenAccountOf({ mint, tokenProgram }: TokenInfo, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, owner, true, tokenProgram);
}
