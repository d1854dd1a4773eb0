import { divideUp } from './integers.ts';

/** A Token-2022 transfer tax: withheld from every transfer, in bps of the amount sent and at most `maximumRaw`. */
export interface TransferFee {
  readonly bps: number;
  /** Raw units. */
  readonly maximumRaw: bigint;
}

const BPS = 10_000n;

/** Tax withheld from a transfer of `amount` raw units, rounded up as Token-2022 does; 0 for a mint without tax. */
export function transferTax(fee: TransferFee | undefined, amount: bigint): bigint {
  if (!fee || fee.bps === 0) return 0n;
  const tax = divideUp(amount * BigInt(fee.bps), BPS);
  return tax < fee.maximumRaw ? tax : fee.maximumRaw;
}

/**
 * What must be sent so that `net` raw units arrive: the inverse that Token-2022's `calculate_inverse_fee` and the CLMM
 * use. Throws a RangeError on a tax of 100 %.
 */
export function grossOfNet(fee: TransferFee | undefined, net: bigint): bigint {
  if (!fee || fee.bps === 0 || net === 0n) return net;
  if (fee.bps >= 10_000) throw new RangeError(`nothing arrives after a tax of ${fee.bps} bps`);
  const gross = divideUp(net * BPS, BPS - BigInt(fee.bps));
  if (gross - net >= fee.maximumRaw) return net + fee.maximumRaw;
  return net + transferTax(fee, gross);
}
