import { getTransferFeeConfig, type Mint, type TransferFeeConfig } from '@solana/spl-token';
import type { Connection } from '@solana/web3.js';
import type { TransferFee } from '../exchange/pool-math.ts';
import type { TokenInfo } from './token.ts';

/** Returns the epoch; 0 without transfer fees, where it does not matter. */
export async function epochForFees(connection: Connection, mints: readonly Mint[]): Promise<bigint> {
  const isTaxed = mints.some((mint) => getTransferFeeConfig(mint) !== null);
  return isTaxed ? BigInt((await connection.getEpochInfo()).epoch) : 0n;
}

/** The newer applies from its epoch on. */
export interface FeeSchedule {
  readonly older: TransferFee;
  readonly newer: TransferFee;
  readonly newerFromEpoch: bigint;
}

export function transferFeeAt(mint: Mint, epoch: bigint): TransferFee | null {
  const config = getTransferFeeConfig(mint);
  return config && feeAt(feeSchedule(config), epoch);
}

export function feeSchedule({ olderTransferFee, newerTransferFee }: TransferFeeConfig): FeeSchedule {
  const [older, newer] = [feeOf(olderTransferFee), feeOf(newerTransferFee)];
  return { older, newer, newerFromEpoch: newerTransferFee.epoch };
}

function feeAt({ older, newer, newerFromEpoch }: FeeSchedule, epoch: bigint): TransferFee {
  return epoch >= newerFromEpoch ? newer : older;
}

/** Largest fee of a transfer signed in this epoch, which may land in the next. Fees are set two epochs ahead. */
export function feeUntilLanded(fees: FeeSchedule, epoch: bigint): TransferFee {
  const [now, next] = [feeAt(fees, epoch), feeAt(fees, epoch + 1n)];
  const maximumRaw = now.maximumRaw > next.maximumRaw ? now.maximumRaw : next.maximumRaw;
  return { bps: Math.max(now.bps, next.bps), maximumRaw };
}

function feeOf({
  transferFeeBasisPoints: bps,
  maximumFee: maximumRaw,
}: TransferFeeConfig['newerTransferFee']): TransferFee {
  return { bps, maximumRaw };
}

/** An unlimited fee authority could take all that creators and holders are owed. */
export const MAX_QUOTE_FEE_BPS = 500;

/** Checks both configured fees; null within the maximum. */
export function feeConfigProblem(mint: Mint): string | null {
  const config = getTransferFeeConfig(mint);
  if (!config) return null;
  const bps = [config.olderTransferFee, config.newerTransferFee].map((fee) => fee.transferFeeBasisPoints);
  return tooMuch(Math.max(...bps));
}

/** Null if acceptable now. */
export function quoteFeeProblem({ mint, transferFee }: Pick<TokenInfo, 'mint' | 'transferFee'>): string | null {
  const problem = tooMuch(transferFee?.bps ?? 0);
  return problem === null ? null : `${mint.toBase58()}: ${problem}`;
}

function tooMuch(bps: number): string | null {
  return bps > MAX_QUOTE_FEE_BPS ? `transfers take ${bps} bps, at most ${MAX_QUOTE_FEE_BPS} are borne` : null;
}
