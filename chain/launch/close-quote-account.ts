import {
  createCloseAccountInstruction,
  createHarvestWithheldTokensToMintInstruction,
  createTransferCheckedInstruction,
  getTransferFeeAmount,
  unpackAccount,
} from '@solana/spl-token';
import type { Connection, PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { TokenInfo } from '../exchange/exchange.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';

/** A wallet's associated account of a quote token that is to go. */
export interface ClosingRequest {
  readonly quote: TokenInfo;
  readonly wallet: PublicKey;
  /** Gets the tokens that a stranger put there, where it has an account for them. */
  readonly tokensTo: PublicKey;
  /** Gets the account's rent. */
  readonly rentTo: PublicKey;
}

/** Upper bound of compute units for emptying and closing one account. */
export const CLOSE_QUOTE_ACCOUNT_COMPUTE_UNITS = 40_000;

/**
 * Empties and closes the account, so that its rent comes back although strangers sent tokens to it. Nothing where there is
 * no such account, or where it holds tokens that `tokensTo` has no account for. Tokens that arrive after this was built make
 * the transaction fail: then it is built anew.
 */
export async function closeQuoteAccount(
  connection: Connection,
  { quote, wallet, tokensTo, rentTo }: ClosingRequest,
): Promise<TransactionInstruction[]> {
  const { mint, decimals, tokenProgram } = quote;
  const [address, heir] = [tokenAccountOf(quote, wallet), tokenAccountOf(quote, tokensTo)];
  const [held, inherits] = await connection.getMultipleAccountsInfo([address, heir], 'confirmed');
  // Lamports that a stranger sent to either address are no token account.
  if (!held?.owner.equals(tokenProgram)) return [];
  const account = unpackAccount(address, held, tokenProgram);
  if (account.amount > 0n && !inherits?.owner.equals(tokenProgram)) return [];
  const isTaxed = (getTransferFeeAmount(account)?.withheldAmount ?? 0n) > 0n;
  return [
    ...(account.amount > 0n
      ? [createTransferCheckedInstruction(address, mint, heir, wallet, account.amount, decimals, [], tokenProgram)]
      : []),
    // An account with a withheld transfer tax cannot be closed; anybody may bring the tax to the mint.
    ...(isTaxed ? [createHarvestWithheldTokensToMintInstruction(mint, [address], tokenProgram)] : []),
    createCloseAccountInstruction(address, rentTo, wallet, [], tokenProgram),
  ];
}
