import { getTransferFeeConfig, type Mint } from '@solana/spl-token';
import type { Connection } from '@solana/web3.js';
import type { TransferFee } from '../exchange/pool-math.ts';

/** The chain's present epoch if one of these mints has a transfer fee, by which alone it matters; 0 otherwise. */
export async function epochForFees(connection: Connection, mints: readonly Mint[]): Promise<bigint> {
  const isTaxed = mints.some((mint) => getTransferFeeConfig(mint) !== null);
  return isTaxed ? BigInt((await connection.getEpochInfo()).epoch) : 0n;
}

/**
 * A mint's transfer fee in an epoch; null where it has none. Token-2022 applies the newer of a mint's two fees from its
 * epoch on, the older one until then.
 */
export function transferFeeAt(mint: Mint, epoch: bigint): TransferFee | null {
  const config = getTransferFeeConfig(mint);
  if (!config) return null;
  const { newerTransferFee, olderTransferFee } = config;
  const fee = epoch >= newerTransferFee.epoch ? newerTransferFee : olderTransferFee;
  return { bps: fee.transferFeeBasisPoints, maximumRaw: fee.maximumFee };
}
