import { batchCount, RECIPIENTS_PER_BATCH } from '../../domain/airdrop/airdrop.ts';
import { STEP_COMPUTE_UNITS } from '../lanes/step.ts';
import { SEAL_COMPUTE_UNITS } from '../transactions/seal.ts';
import { priorityFeeOf } from '../transactions/compute-budget.ts';

/** Upper bounds; measured: at most 25,000 per recipient. */
const RECIPIENT_COMPUTE_UNITS = 50_000;
const OTHER_COMPUTE_UNITS = 30_000;

/** Signature fees of the escrow and the lane step, lamports. */
const SIGNATURES_LAMPORTS = 2n * 5_000n;

/** A delivery is not urgent. */
const MOST_COMPUTE_UNIT_PRICE = 100_000n;

export function deliveryComputeUnits(recipients: number): number {
  return recipients * RECIPIENT_COMPUTE_UNITS + OTHER_COMPUTE_UNITS + STEP_COMPUTE_UNITS;
}

/** Returns the unit price of a delivery; `present` is the market price. */
export function deliveryUnitPrice(present: bigint): bigint {
  return present < MOST_COMPUTE_UNIT_PRICE ? present : MOST_COMPUTE_UNIT_PRICE;
}

/** Network fee of a full transaction, lamports. */
function deliveryNetworkFee(computeUnitPrice: bigint): bigint {
  const units = deliveryComputeUnits(RECIPIENTS_PER_BATCH);
  return SIGNATURES_LAMPORTS + priorityFeeOf({ units, price: computeUnitPrice });
}

/** Network fee of the seal of the list, lamports. */
function sealNetworkFee(computeUnitPrice: bigint): bigint {
  const units = SEAL_COMPUTE_UNITS + STEP_COMPUTE_UNITS;
  return SIGNATURES_LAMPORTS + priorityFeeOf({ units, price: computeUnitPrice });
}

export interface DeliveryPricing {
  readonly recipients: number;
  readonly rentLamports: bigint;
  readonly computeUnitPrice: bigint;
}

/**
 * Returns lamports for an account per recipient, and the seal's and each batch's fee twice, because a failed transaction is paid and sent
 * again. The platform keeps the rest.
 */
export function deliveryFee({ recipients, rentLamports, computeUnitPrice }: DeliveryPricing): bigint {
  const fees = BigInt(batchCount(recipients)) * deliveryNetworkFee(computeUnitPrice) + sealNetworkFee(computeUnitPrice);
  return BigInt(recipients) * rentLamports + 2n * fees;
}
