import type { Keypair, PublicKey, VersionedMessage } from '@solana/web3.js';
import { claimPurpose } from '../../domain/claim/purpose.ts';
import type { PositionChain, PositionFees } from '../exchange/position-fees.ts';
import { compileTransaction } from '../transactions/compile.ts';
import { memoInstruction } from '../transactions/memo.ts';
import { WALLET_COMPUTE_UNITS, WALLETS_LEAST_PRICE } from '../transactions/wallet-changes.ts';
import { createTokenAccount, tokenAccountOf } from '../tokens/associated-account.ts';
import { advanceNonce } from './nonce-account.ts';

export interface ClaimRequest {
  readonly intentId: string;
  /** Pays the fee; gets the fees. */
  readonly wallet: PublicKey;
  readonly nonceAccount: PublicKey;
  /** The platform wallet alone advances the nonce. */
  readonly authority: PublicKey;
  /** base58 */
  readonly nonce: string;
  /** Existing accounts are left out, as room for what wallets add. */
  readonly opens: readonly PublicKey[];
}

/** `exchangeSigners`: the adapter's keys; none on a real exchange. */
export interface BuiltClaim {
  readonly message: VersionedMessage;
  readonly exchangeSigners: readonly Keypair[];
}

const ACCOUNT_COMPUTE_UNITS = 40_000;
/** Nonce advance and memo. */
const FRAME_COMPUTE_UNITS = 15_000;

/**
 * Builds the claim, unsigned and deterministic: nonce advance, missing accounts, harvest, memo with the intent. It
 * cannot land without the platform's signature.
 */
export async function buildClaim(chain: PositionChain, fees: PositionFees, request: ClaimRequest): Promise<BuiltClaim> {
  const { base, quote, state, position } = fees;
  const { wallet, authority, nonceAccount, nonce, intentId, opens } = request;
  const [baseAccount, quoteAccount] = [tokenAccountOf(base, wallet), tokenAccountOf(quote, wallet)];
  const missing = [
    { token: base, account: baseAccount },
    { token: quote, account: quoteAccount },
  ].filter(({ account }) => opens.some((opened) => opened.equals(account)));
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
      ...missing.map(({ token }) => createTokenAccount(wallet, token, wallet)),
      ...harvest.instructions,
      memoInstruction(claimPurpose(intentId)),
    ],
    computeUnits:
      harvest.computeUnits + missing.length * ACCOUNT_COMPUTE_UNITS + FRAME_COMPUTE_UNITS + WALLET_COMPUTE_UNITS,
    computeUnitPrice: WALLETS_LEAST_PRICE,
  });
  return { message, exchangeSigners: harvest.signers };
}
