import { createAssociatedTokenAccountIdempotentInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import type { Keypair, PublicKey, VersionedMessage } from '@solana/web3.js';
import { claimPurpose } from '../../domain/claim/purpose.ts';
import type { TokenInfo } from '../exchange/exchange.ts';
import type { PositionChain, PositionFees } from '../exchange/position-fees.ts';
import { compileTransaction } from '../transactions/compile.ts';
import { memoInstruction } from '../transactions/memo.ts';
import { advanceNonce } from './nonce-account.ts';

/** A claim to build. */
export interface ClaimRequest {
  readonly intentId: string;
  /** Fee payer, and the wallet whose accounts are paid. */
  readonly wallet: PublicKey;
  readonly nonceAccount: PublicKey;
  /** The platform wallet, which alone may advance the nonce. */
  readonly authority: PublicKey;
  /** Present value of the nonce, base58. */
  readonly nonce: string;
}

/** A claim's message, and the keys of the adapter itself that must sign it (none on a real exchange). */
export interface BuiltClaim {
  readonly message: VersionedMessage;
  readonly exchangeSigners: readonly Keypair[];
}

/** Priority fee of a claim in micro-lamports per compute unit; the creator pays it. */
const CLAIM_COMPUTE_UNIT_PRICE = 50_000n;
/** Making an associated token account takes at most so many. */
const ACCOUNT_COMPUTE_UNITS = 40_000;
/** The nonce's advance and the memo. */
const FRAME_COMPUTE_UNITS = 15_000;

/**
 * Builds the one transaction of a claim, unsigned: the nonce's advance first, then the wallet's token accounts where they
 * are missing, the harvest, and the memo with the intent. The same position, nonce and intent always give the same bytes.
 * Without the platform's signature as the nonce's authority nobody can make it land.
 */
export async function buildClaim(chain: PositionChain, fees: PositionFees, request: ClaimRequest): Promise<BuiltClaim> {
  const { base, quote, state, position } = fees;
  const { wallet, authority, nonceAccount, nonce, intentId } = request;
  const [baseAccount, quoteAccount] = [accountOf(base, wallet), accountOf(quote, wallet)];
  const harvest = await chain.exchange.buildHarvest({
    pool: state,
    base,
    quote,
    feeKeyMint: position.feeKeyMint,
    holder: wallet,
    baseAccount,
    quoteAccount,
  });
  const { message } = compileTransaction({
    format: 'legacy',
    payer: wallet,
    blockhash: nonce,
    first: advanceNonce(nonceAccount, authority),
    instructions: [
      openAccount(base, wallet, baseAccount),
      openAccount(quote, wallet, quoteAccount),
      ...harvest.instructions,
      memoInstruction(claimPurpose(intentId)),
    ],
    computeUnits: harvest.computeUnits + 2 * ACCOUNT_COMPUTE_UNITS + FRAME_COMPUTE_UNITS,
    computeUnitPrice: CLAIM_COMPUTE_UNIT_PRICE,
  });
  return { message, exchangeSigners: harvest.signers };
}

function accountOf({ mint, tokenProgram }: TokenInfo, wallet: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, wallet, true, tokenProgram);
}

function openAccount({ mint, tokenProgram }: TokenInfo, wallet: PublicKey, account: PublicKey) {
  return createAssociatedTokenAccountIdempotentInstruction(wallet, account, wallet, mint, tokenProgram);
}
