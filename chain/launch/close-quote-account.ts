import {
  createCloseAccountInstruction,
  createHarvestWithheldTokensToMintInstruction,
  createTransferCheckedInstruction,
  getTransferFeeAmount,
  unpackAccount,
} from '@solana/spl-token';
import type { Connection, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { isUsable } from '../../domain/token-balance.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import { balanceOfAccount } from '../tokens/token-balance.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface ClosingRequest {
  readonly quote: TokenInfo;
  readonly wallet: PublicKey;
  /** For strangers' tokens, if it has an account for them. */
  readonly tokensTo: PublicKey;
  readonly rentTo: PublicKey;
}

export const CLOSE_QUOTE_ACCOUNT_COMPUTE_UNITS = 40_000;

/**
 * Recovers the rent although strangers sent tokens. Empty without the account, and if its tokens are frozen or
 * `tokensTo` has no account that takes them. Tokens that
 * arrive after the build fail the transaction; then it is built again.
 */
export async function closeQuoteAccount(
  connection: Connection,
  { quote, wallet, tokensTo, rentTo }: ClosingRequest,
): Promise<TransactionInstruction[]> {
  const { mint, decimals, tokenProgram } = quote;
  const [address, heir] = [tokenAccountOf(quote, wallet), tokenAccountOf(quote, tokensTo)];
  const [held, inherits] = await connection.getMultipleAccountsInfo([address, heir], 'confirmed');
  // Lamports alone are no token account.
  if (!held?.owner.equals(tokenProgram)) return [];
  const account = unpackAccount(address, held, tokenProgram);
  const heirState = balanceOfAccount(quote, tokensTo, inherits ?? null).state;
  if (account.amount > 0n && (account.isFrozen || !isUsable(heirState))) return [];
  const isTaxed = (getTransferFeeAmount(account)?.withheldAmount ?? 0n) > 0n;
  return [
    ...(account.amount > 0n
      ? [createTransferCheckedInstruction(address, mint, heir, wallet, account.amount, decimals, [], tokenProgram)]
      : []),
    // An account with withheld tax cannot be closed; anyone may move the tax to the mint.
    ...(isTaxed ? [createHarvestWithheldTokensToMintInstruction(mint, [address], tokenProgram)] : []),
    createCloseAccountInstruction(address, rentTo, wallet, [], tokenProgram),
  ];
}
