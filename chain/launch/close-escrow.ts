import {
  createBurnCheckedInstruction,
  createCloseAccountInstruction,
  createHarvestWithheldTokensToMintInstruction,
  getTransferFeeAmount,
  unpackAccount,
} from '@solana/spl-token';
import type { Connection, PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { TokenInfo } from '../exchange/exchange.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';

/** Upper bound of compute units for emptying and closing one account. */
export const CLOSE_ESCROW_COMPUTE_UNITS = 40_000;

/**
 * Closes a launch wallet's account of its own token, after everything was delivered. What lies in it is the rest that the pool's
 * positions did not take, a few raw units, and what strangers sent: it is burned. Nothing where there is no such account.
 */
export async function closeEscrow(
  connection: Connection,
  token: TokenInfo,
  wallet: PublicKey,
  rentTo: PublicKey,
): Promise<TransactionInstruction[]> {
  const { mint, decimals, tokenProgram } = token;
  const address = tokenAccountOf(token, wallet);
  const held = await connection.getAccountInfo(address, 'confirmed');
  // Lamports that a stranger sent to the address are no token account.
  if (!held?.owner.equals(tokenProgram)) return [];
  const account = unpackAccount(address, held, tokenProgram);
  const isTaxed = (getTransferFeeAmount(account)?.withheldAmount ?? 0n) > 0n;
  return [
    ...(account.amount > 0n
      ? [createBurnCheckedInstruction(address, mint, wallet, account.amount, decimals, [], tokenProgram)]
      : []),
    // An account with a withheld transfer tax cannot be closed; anybody may bring the tax to the mint.
    ...(isTaxed ? [createHarvestWithheldTokensToMintInstruction(mint, [address], tokenProgram)] : []),
    createCloseAccountInstruction(address, rentTo, wallet, [], tokenProgram),
  ];
}
