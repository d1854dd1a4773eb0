import type { Connection, PublicKey } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import { quoteMintRefusal, type QuoteMintRefusedError } from './quote-mint.ts';
import { epochForFees, transferFeeAt } from './transfer-fee.ts';
import { unpackTokenMint } from './unpack-mint.ts';

/** A state says what a mint allows to launches with it as the quote token. */
export interface QuoteMintState {
  /** Why nothing can be launched with it; null if it can be. */
  readonly refusal: QuoteMintRefusedError | null;
  /** Its transfer fee; with one there are no dev buys. */
  readonly taxBps: number;
}

/** Limit of `getMultipleAccounts`. */
const MOST_AT_ONCE = 100;

/** Reads mints at `confirmed` from the endpoint that answers: for what is shown and proposed. */
export async function readQuoteMints(connection: Connection, mints: readonly PublicKey[]): Promise<QuoteMintState[]> {
  const batches = batchesOf(mints, MOST_AT_ONCE);
  const answers = await Promise.all(batches.map((some) => connection.getMultipleAccountsInfo(some, 'confirmed')));
  const accounts = answers.flat();
  const unpacked = mints.map((mint, index) => unpackTokenMint(mint, accounts[index] ?? null)?.mint ?? null);
  const epoch = await epochForFees(
    connection,
    unpacked.filter((mint) => mint !== null),
  );
  return mints.map((mint, index) => {
    const found = unpacked[index] ?? null;
    const fee = found && transferFeeAt(found, epoch);
    return { refusal: quoteMintRefusal(mint, accounts[index] ?? null), taxBps: fee?.bps ?? 0 };
  });
}
