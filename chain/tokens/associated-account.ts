import { createAssociatedTokenAccountIdempotentInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { baseTokenOf } from '../launch/pool-request.ts';
import type { TokenInfo } from './token.ts';

/** Upper bound. */
export const TOKEN_ACCOUNT_COMPUTE_UNITS = 40_000;

/** The launch wallet pays. Empty without a dev buy. */
export function creatorAccount(terms: LaunchTerms): TransactionInstruction[] {
  if (!terms.devBuy) return [];
  const launchWallet = new PublicKey(terms.addresses.launchWallet);
  return [createTokenAccount(launchWallet, baseTokenOf(terms), new PublicKey(terms.creator))];
}

/** A stranger may have created it. `account`: its address where that is known. Deriving it takes about 1.4 ms of the event loop. */
export function createTokenAccount(
  payer: PublicKey,
  token: TokenInfo,
  owner: PublicKey,
  account: PublicKey = tokenAccountOf(token, owner),
): TransactionInstruction {
  return createAssociatedTokenAccountIdempotentInstruction(payer, account, owner, token.mint, token.tokenProgram);
}

/** The owner may be a program. */
export function tokenAccountOf({ mint, tokenProgram }: TokenInfo, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, owner, true, tokenProgram);
}
