import * as chainTransactions from '../../db/money/chain-transactions.ts';
import type { Db } from '../../db/connect.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { LAUNCH_STEPS, launchPrefix, launchPurpose } from '../../domain/purpose.ts';
import { adoptFromHistory } from '../money/adopt.ts';
import { bookStatuses, hasLanded } from '../money/book-statuses.ts';
import type { LaunchDeps } from './deps.ts';

/** The live transactions of a launch in bundle order: each may still take effect, or has. */
export function readBundle(db: Db, quoteId: string): Promise<ChainTransaction[]> {
  return chainTransactions.liveByPrefix(db, launchPrefix(quoteId));
}

/** Looks at the chain for every transaction of the bundle, books what it says, and returns the rows as they stand then. */
export async function observeBundle(deps: LaunchDeps, { quoteId }: LaunchRecord): Promise<ChainTransaction[]> {
  const bundle = await readBundle(deps.db, quoteId);
  const changed = await bookStatuses(deps, bundle);
  return changed ? readBundle(deps.db, quoteId) : bundle;
}

/** Books what the chain holds of this launch and the ledger does not. */
export function adoptBundle(deps: LaunchDeps, { terms }: LaunchRecord): Promise<void> {
  const purposes = LAUNCH_STEPS.map((step) => launchPurpose(terms.quoteId, step));
  const { launchWallet } = terms.addresses;
  // A restored database may hand out addresses that an older launch used: what is older than this quote is not its own.
  return adoptFromHistory(deps, launchWallet, purposes, launchWallet, terms.payment.blockhashSlot);
}

/** True when all four transactions are in blocks, as far as the ledger knows. */
export function isWhole(bundle: readonly ChainTransaction[]): boolean {
  return bundle.length === LAUNCH_STEPS.length && bundle.every(hasLanded);
}
