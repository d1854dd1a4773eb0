import {
  createBurnCheckedInstruction,
  createCloseAccountInstruction,
  createHarvestWithheldTokensToMintInstruction,
  getTransferFeeAmount,
  unpackAccount,
} from '@solana/spl-token';
import type { Connection, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import type { TokenInfo } from '../tokens/token.ts';

export const CLOSE_ESCROW_COMPUTE_UNITS = 40_000;

/** Closes the escrow after delivery and burns what is left and what strangers sent. Empty without the account. */
export async function closeEscrow(
  connection: Connection,
  token: TokenInfo,
  wallet: PublicKey,
  rentTo: PublicKey,
): Promise<TransactionInstruction[]> {
  const { mint, decimals, tokenProgram } = token;
  const address = tokenAccountOf(token, wallet);
  const held = await connection.getAccountInfo(address, 'confirmed');
  // Lamports alone are no token account.
  if (!held?.owner.equals(tokenProgram)) return [];
  const account = unpackAccount(address, held, tokenProgram);
  const isTaxed = (getTransferFeeAmount(account)?.withheldAmount ?? 0n) > 0n;
  return [
    ...(account.amount > 0n
      ? [createBurnCheckedInstruction(address, mint, wallet, account.amount, decimals, [], tokenProgram)]
      : []),
    // An account with withheld tax cannot be closed; anyone may move the tax to the mint.
    ...(isTaxed ? [createHarvestWithheldTokensToMintInstruction(mint, [address], tokenProgram)] : []),
    createCloseAccountInstruction(address, rentTo, wallet, [], tokenProgram),
  ];
}
