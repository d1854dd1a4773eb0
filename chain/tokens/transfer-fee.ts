import { getTransferFeeConfig, type Mint, type TransferFeeConfig } from '@solana/spl-token';
import type { Connection } from '@solana/web3.js';
import type { TokenInfo } from '../exchange/exchange.ts';
import type { TransferFee } from '../exchange/pool-math.ts';

/** The chain's present epoch if one of these mints has a transfer fee, by which alone it matters; 0 otherwise. */
export async function epochForFees(connection: Connection, mints: readonly Mint[]): Promise<bigint> {
  const isTaxed = mints.some((mint) => getTransferFeeConfig(mint) !== null);
  return isTaxed ? BigInt((await connection.getEpochInfo()).epoch) : 0n;
}

/** The two transfer fees of a mint. Token-2022 applies the newer one from its epoch on, the older one until then. */
export interface FeeSchedule {
  readonly older: TransferFee;
  readonly newer: TransferFee;
  readonly newerFromEpoch: bigint;
}

/** A mint's transfer fee in an epoch; null where it has none. */
export function transferFeeAt(mint: Mint, epoch: bigint): TransferFee | null {
  const config = getTransferFeeConfig(mint);
  return config && feeAt(feeSchedule(config), epoch);
}

/** Both fees of a mint, with when the newer one begins. */
export function feeSchedule({ olderTransferFee, newerTransferFee }: TransferFeeConfig): FeeSchedule {
  const [older, newer] = [feeOf(olderTransferFee), feeOf(newerTransferFee)];
  return { older, newer, newerFromEpoch: newerTransferFee.epoch };
}

/** The one that applies in an epoch. */
function feeAt({ older, newer, newerFromEpoch }: FeeSchedule, epoch: bigint): TransferFee {
  return epoch >= newerFromEpoch ? newer : older;
}

/**
 * The most that a transfer takes which is signed in an epoch: it may land in the next one. A mint's fee is set two epochs before it begins,
 * so that no change is unknown here.
 */
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

/** Most that transfers of a quote token may take, bps. Whoever controls its fee could take all that creators and holders are owed. */
export const MAX_QUOTE_FEE_BPS = 500;

/** Why a mint's transfer fees, the older or the newer one, are more than a quote token may take; null where they are not. */
export function feeConfigProblem(mint: Mint): string | null {
  const config = getTransferFeeConfig(mint);
  if (!config) return null;
  const bps = [config.olderTransferFee, config.newerTransferFee].map((fee) => fee.transferFeeBasisPoints);
  return tooMuch(Math.max(...bps));
}

/** Why amounts of a quote token are not moved at present; null where its transfer fee is one that is borne. */
export function quoteFeeProblem({ mint, transferFee }: Pick<TokenInfo, 'mint' | 'transferFee'>): string | null {
  const problem = tooMuch(transferFee?.bps ?? 0);
  return problem === null ? null : `${mint.toBase58()}: ${problem}`;
}

function tooMuch(bps: number): string | null {
  return bps > MAX_QUOTE_FEE_BPS ? `transfers take ${bps} bps, at most ${MAX_QUOTE_FEE_BPS} are borne` : null;
}
