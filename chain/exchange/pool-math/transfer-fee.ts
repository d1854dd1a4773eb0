import { divideUp } from './integers.ts';

/** Token-2022: bps of the amount sent, at most `maximumRaw`. */
export interface TransferFee {
  readonly bps: number;
  readonly maximumRaw: bigint;
}

const BPS = 10_000n;

/** Returns the tax, rounded up like Token-2022. */
export function transferTax(fee: TransferFee | undefined, amount: bigint): bigint {
  if (!fee || fee.bps === 0) return 0n;
  const tax = divideUp(amount * BigInt(fee.bps), BPS);
  return tax < fee.maximumRaw ? tax : fee.maximumRaw;
}

/** Amount to send so that `net` arrives, as `calculate_inverse_fee`. Throws a RangeError for 100 %. */
export function grossOfNet(fee: TransferFee | undefined, net: bigint): bigint {
  if (!fee || fee.bps === 0 || net === 0n) return net;
  if (fee.bps >= 10_000) throw new RangeError(`nothing arrives after a tax of ${fee.bps} bps`);
  const gross = divideUp(net * BPS, BPS - BigInt(fee.bps));
  if (gross - net >= fee.maximumRaw) return net + fee.maximumRaw;
  return net + transferTax(fee, gross);
}
