import { createChainTransactionRepository } from '../../db/chain-transactions.ts';
import type { Db } from '../../db/connect.ts';
import type { ChainTransaction } from '../../db/schema.ts';
import { LAUNCH_STEPS, launchPrefix } from '../../domain/purpose.ts';

/** The live transactions of a launch in bundle order: each may still take effect, or has. */
export function readBundle(db: Db, quoteId: string): Promise<ChainTransaction[]> {
  return createChainTransactionRepository(db).liveByPrefix(launchPrefix(quoteId));
}

/** True for a transaction that is in a block without an error, as far as the ledger knows. */
export function hasLanded(row: ChainTransaction): boolean {
  return row.status === 'landed' || row.status === 'finalized';
}

/** True when all four transactions are in blocks, as far as the ledger knows. */
export function isWhole(bundle: readonly ChainTransaction[]): boolean {
  return bundle.length === LAUNCH_STEPS.length && bundle.every(hasLanded);
}
