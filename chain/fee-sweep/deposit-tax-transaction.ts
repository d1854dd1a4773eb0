import {
  createBurnCheckedInstruction,
  createHarvestWithheldTokensToMintInstruction,
  createWithdrawWithheldTokensFromMintInstruction,
} from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../exchange/exchange.ts';
import { createTokenAccount, TOKEN_ACCOUNT_COMPUTE_UNITS, tokenAccountOf } from '../tokens/associated-account.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import type { SignedTransaction } from '../transactions/compile.ts';
import { type PurposeFrame, signPurposed } from '../transactions/purposed.ts';

/** The tax on a deposit to be burned. */
export interface DepositTaxBurn extends PurposeFrame {
  /** May withdraw withheld tax; it burns, and keeps what else was withheld. */
  readonly rewards: TransactionSigner;
  readonly base: TokenInfo;
  /** The pool's vault of the launched token, where the tax is withheld. */
  readonly vault: PublicKey;
  /** Raw units. */
  readonly taxRaw: bigint;
}

// Measured: 4,900 for the three.
const TAX_COMPUTE_UNITS = 30_000;

/**
 * Withdraws what is withheld in the pool's vault and burns the deposit's share of it, in one transaction. By way of the mint,
 * because anybody may bring withheld tax there, and then it is not in the vault any more. What exceeds the deposit's tax was
 * withheld from trades: it stays with the rewards authority and is the holders'.
 */
export function buildDepositTaxBurn(request: DepositTaxBurn): Promise<SignedTransaction> {
  const { payer, rewards, base, vault, taxRaw } = request;
  const { mint, decimals, tokenProgram } = base;
  const owner = rewards.publicKey;
  const account = tokenAccountOf(base, owner);
  return signPurposed(request, {
    instructions: [
      createTokenAccount(payer.publicKey, base, owner),
      createHarvestWithheldTokensToMintInstruction(mint, [vault], tokenProgram),
      createWithdrawWithheldTokensFromMintInstruction(mint, account, owner, [], tokenProgram),
      createBurnCheckedInstruction(account, mint, owner, taxRaw, decimals, [], tokenProgram),
    ],
    signers: [rewards],
    computeUnits: TAX_COMPUTE_UNITS + TOKEN_ACCOUNT_COMPUTE_UNITS,
  });
}
