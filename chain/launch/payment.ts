import { type PublicKey, SystemProgram, VersionedMessage, type VersionedTransaction } from '@solana/web3.js';
import { launchPurpose } from '../../domain/purpose.ts';
import { compileTransaction } from '../transactions/compile.ts';
import { computeBudgetOf, priorityFeeOf } from '../transactions/compute-budget.ts';
import { memoInstruction } from '../transactions/memo.ts';

/** What the payment transaction of a launch is made of. */
export interface PaymentRequest {
  readonly quoteId: string;
  readonly creator: PublicKey;
  readonly launchWallet: PublicKey;
  readonly lamports: bigint;
  readonly blockhash: string;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/** Most that a launch wallet can have paid for transactions that landed with an error before anything else did. */
export const FAILED_TRIES_LAMPORTS = 5_000_000n;

/** Network fee of each signature. */
const LAMPORTS_PER_SIGNATURE = 5_000n;

/** Two transfers' and one memo's worth, with room for the assertions that wallets append. */
const PAYMENT_COMPUTE_UNITS = 60_000;

/**
 * The one payment of a launch, unsigned. Its memo needs the launch wallet's signature, which the platform adds only
 * after everything else holds: until then nobody, the creator included, can make it land.
 */
export function buildPayment(request: PaymentRequest): VersionedTransaction {
  return compileTransaction({
    format: 'legacy',
    payer: request.creator,
    blockhash: request.blockhash,
    computeUnits: PAYMENT_COMPUTE_UNITS,
    computeUnitPrice: request.computeUnitPrice,
    instructions: [
      SystemProgram.transfer({
        fromPubkey: request.creator,
        toPubkey: request.launchWallet,
        lamports: request.lamports,
      }),
      memoInstruction(launchPurpose(request.quoteId, 1), [request.launchWallet]),
    ],
  });
}

/**
 * Lamports of network fee that a payment costs its fee payer, as its issued message (base64) sets it: 5,000 a signature and
 * the priority fee, rounded up. What the chain took can be less, not more.
 */
export function networkFeeOf(issuedMessage: string): bigint {
  const message = VersionedMessage.deserialize(Buffer.from(issuedMessage, 'base64'));
  const signatures = BigInt(message.header.numRequiredSignatures) * LAMPORTS_PER_SIGNATURE;
  return signatures + priorityFeeOf(computeBudgetOf(message));
}

/** Lamports of network fee the payment costs its fee payer on top: two signatures and the priority fee, rounded up. */
export function paymentNetworkFee(computeUnitPrice: bigint): bigint {
  return 2n * LAMPORTS_PER_SIGNATURE + priorityFeeOf({ units: PAYMENT_COMPUTE_UNITS, price: computeUnitPrice });
}
