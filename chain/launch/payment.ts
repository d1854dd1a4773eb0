import { type PublicKey, SystemProgram, type VersionedTransaction } from '@solana/web3.js';
import { launchPurpose } from '../../domain/purpose.ts';
import { compileTransaction } from '../transactions/compile.ts';
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

/** Two transfers' and one memo's worth, with room for the assertions that wallets append. */
const PAYMENT_COMPUTE_UNITS = 60_000;

/**
 * The one payment of a launch, unsigned. Its memo needs the launch wallet's signature, which the platform adds only
 * after everything else holds: until then nobody, the creator included, can make it land.
 */
export function buildPayment(request: PaymentRequest): VersionedTransaction {
  return compileTransaction({
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

/** Lamports of network fee the payment costs its fee payer on top: two signatures and the priority fee, rounded up. */
export function paymentNetworkFee(computeUnitPrice: bigint): bigint {
  const priority = (computeUnitPrice * BigInt(PAYMENT_COMPUTE_UNITS) + 999_999n) / 1_000_000n;
  return 2n * 5_000n + priority;
}
