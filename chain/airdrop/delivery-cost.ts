import { batchCount, RECIPIENTS_PER_BATCH } from '../../domain/airdrop/airdrop.ts';
import { STEP_COMPUTE_UNITS } from '../lanes/step.ts';
import { priorityFeeOf } from '../transactions/compute-budget.ts';

/**
 * Upper bounds of compute units: opening one account and sending to it, and everything else of a transaction. Measured: at most
 * 25,000 a recipient; the search for an associated address varies by its luck.
 */
const RECIPIENT_COMPUTE_UNITS = 50_000;
const OTHER_COMPUTE_UNITS = 30_000;

/** Those of the escrow and of the lane's step. */
const SIGNATURES_LAMPORTS = 2n * 5_000n;

/** A delivery is not urgent: it does not pay more for its place than this, micro-lamports per compute unit. */
const MOST_COMPUTE_UNIT_PRICE = 100_000n;

/** Compute units that a delivery to so many recipients asks for, with the step of its lane. */
export function deliveryComputeUnits(recipients: number): number {
  return recipients * RECIPIENT_COMPUTE_UNITS + OTHER_COMPUTE_UNITS + STEP_COMPUTE_UNITS;
}

/** Priority fee of a delivery where transactions pay `present` at the moment, micro-lamports per compute unit. */
export function deliveryUnitPrice(present: bigint): bigint {
  return present < MOST_COMPUTE_UNIT_PRICE ? present : MOST_COMPUTE_UNIT_PRICE;
}

/** Network fee of one full transaction of a delivery, lamports. */
function deliveryNetworkFee(computeUnitPrice: bigint): bigint {
  const units = deliveryComputeUnits(RECIPIENTS_PER_BATCH);
  return SIGNATURES_LAMPORTS + priorityFeeOf({ units, price: computeUnitPrice });
}

/** What the price of a delivery follows from. */
export interface DeliveryPricing {
  readonly recipients: number;
  /** Rent of one recipient's token account, lamports. */
  readonly rentLamports: bigint;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/**
 * What a creator pays for a delivery, in lamports: an account for every recipient, and each transaction's fee twice, because one
 * that fails is paid for and sent anew. What is not needed stays with the platform, as with the rest of a launch's price.
 */
export function deliveryFee({ recipients, rentLamports, computeUnitPrice }: DeliveryPricing): bigint {
  const fees = BigInt(batchCount(recipients)) * deliveryNetworkFee(computeUnitPrice) * 2n;
  return BigInt(recipients) * rentLamports + fees;
}
