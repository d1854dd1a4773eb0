import { type PublicKey, SystemProgram, type VersionedTransaction } from '@solana/web3.js';
import { launchPurpose } from '../../domain/purpose.ts';
import { compileTransaction } from '../transactions/compile.ts';
import { priorityFeeOf } from '../transactions/compute-budget.ts';
import { memoInstruction } from '../transactions/memo.ts';
import { WALLETS_LEAST_PRICE } from '../transactions/wallet-changes.ts';

export interface PaymentRequest {
  readonly quoteId: string;
  readonly creator: PublicKey;
  readonly launchWallet: PublicKey;
  /** Wallet that gets the Fee Key; null: the creator. */
  readonly feeRecipient: PublicKey | null;
  readonly lamports: bigint;
  readonly blockhash: string;
  /** The launch's minimum; the payment pays at least what wallets leave unchanged. */
  readonly computeUnitPrice: bigint;
}

/** Failed transactions before any succeeds. */
export const FAILED_TRIES_LAMPORTS = 5_000_000n;

const LAMPORTS_PER_SIGNATURE = 5_000n;

/** Two transfers and a memo, plus wallets' additions. */
const PAYMENT_COMPUTE_UNITS = 60_000;

/**
 * The memo needs the launch wallet's signature, which the platform adds last: until then not even the creator can
 * land it. Another recipient of the fees is part of what the creator signs.
 */
export function buildPayment(request: PaymentRequest): VersionedTransaction {
  return compileTransaction({
    format: 'legacy',
    payer: request.creator,
    blockhash: request.blockhash,
    computeUnits: PAYMENT_COMPUTE_UNITS,
    computeUnitPrice: paymentUnitPrice(request.computeUnitPrice),
    instructions: [
      SystemProgram.transfer({
        fromPubkey: request.creator,
        toPubkey: request.launchWallet,
        lamports: request.lamports,
      }),
      memoInstruction(launchPurpose(request.quoteId, 1), [request.launchWallet]),
      ...(request.feeRecipient ? [memoInstruction(feeRecipientMemo(request.feeRecipient))] : []),
    ],
  });
}

function feeRecipientMemo(wallet: PublicKey): string {
  return `fees/${wallet.toBase58()}`;
}

function paymentUnitPrice(computeUnitPrice: bigint): bigint {
  return computeUnitPrice > WALLETS_LEAST_PRICE ? computeUnitPrice : WALLETS_LEAST_PRICE;
}

/** Returns the fee of two signatures plus the priority fee, rounded up. */
export function paymentNetworkFee(computeUnitPrice: bigint): bigint {
  const price = paymentUnitPrice(computeUnitPrice);
  return 2n * LAMPORTS_PER_SIGNATURE + priorityFeeOf({ units: PAYMENT_COMPUTE_UNITS, price });
}
