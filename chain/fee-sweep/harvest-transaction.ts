import type { PublicKey } from '@solana/web3.js';
import type { PositionFees } from '../exchange/position-fees.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { createTokenAccount, TOKEN_ACCOUNT_COMPUTE_UNITS, tokenAccountOf } from '../tokens/associated-account.ts';
import type { SignedTransaction } from '../transactions/compile.ts';
import { type PurposeFrame, signPurposed } from '../transactions/purposed.ts';

export interface SweepHarvest extends PurposeFrame {
  readonly exchange: Exchange;
  readonly fees: PositionFees;
  /** Gets the quote tokens. */
  readonly treasury: PublicKey;
}

/**
 * Harvests quote tokens directly to the treasury, taxed once; launched ones to the platform wallet, which burns them.
 */
export async function buildSweepHarvest(request: SweepHarvest): Promise<SignedTransaction> {
  const { exchange, fees, treasury, wallet, payer } = request;
  const { state: pool, base, quote, position } = fees;
  const holder = wallet.publicKey;
  const harvest = await exchange.buildHarvest({
    pool,
    base,
    quote,
    feeKeyMint: position.feeKeyMint,
    holder,
    baseAccount: tokenAccountOf(base, holder),
    quoteAccount: tokenAccountOf(quote, treasury),
  });
  const accounts = [
    createTokenAccount(payer.publicKey, base, holder),
    createTokenAccount(payer.publicKey, quote, treasury),
  ];
  return signPurposed(request, {
    instructions: [...accounts, ...harvest.instructions],
    signers: harvest.signers,
    computeUnits: harvest.computeUnits + accounts.length * TOKEN_ACCOUNT_COMPUTE_UNITS,
  });
}
