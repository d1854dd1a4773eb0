import {
  createBurnCheckedInstruction,
  createHarvestWithheldTokensToMintInstruction,
  createWithdrawWithheldTokensFromMintInstruction,
} from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import { createTokenAccount, TOKEN_ACCOUNT_COMPUTE_UNITS, tokenAccountOf } from '../tokens/associated-account.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import type { SignedTransaction } from '../transactions/compile.ts';
import { type PurposeFrame, signPurposed } from '../transactions/purposed.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface DepositTaxBurn extends PurposeFrame {
  /** Withdraws tax; burns the deposit's share, keeps the rest. */
  readonly rewards: TransactionSigner;
  readonly base: TokenInfo;
  readonly vault: PublicKey;
  readonly taxRaw: bigint;
}

// Measured: 4,900.
const TAX_COMPUTE_UNITS = 30_000;

/**
 * Harvests and burns the tax in one transaction, through the mint, because anyone may harvest withheld tax to it. Tax
 * beyond the deposit's came from trades: it belongs to the holders and stays with the rewards authority.
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
