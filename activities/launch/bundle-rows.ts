import * as chainTransactions from '../../db/money/chain-transactions.ts';
import type { Db } from '../../db/connect.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { LAUNCH_STEPS, launchPrefix, launchPurpose } from '../../domain/purpose.ts';
import * as launches from '../../db/launch/launches.ts';
import { adoptFromHistory, adoptSigned } from '../money/adopt.ts';
import { bookRecent, bookStatuses, hasLanded } from '../money/book-statuses.ts';
import type { LaunchDeps } from './deps.ts';
import { shownPurposes } from './marks.ts';

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

/** The same for rows that were just read, as part of the next reading of this process that begins within so many ms; see `bookRecent`. */
export async function followBundle(
  deps: LaunchDeps,
  { quoteId }: LaunchRecord,
  bundle: readonly ChainTransaction[],
  withinMs: number,
): Promise<readonly ChainTransaction[]> {
  const changed = await bookRecent(deps, bundle, withinMs);
  return changed ? readBundle(deps.db, quoteId) : bundle;
}

/**
 * Books what the chain holds of this launch and the ledger does not. A payment is found by the ids that its creator gave it; the
 * launch wallet's history, which anybody can lengthen, is looked at only for what the chain shows and no known transaction did.
 */
export async function adoptBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  const { terms } = launch;
  const { launchWallet } = terms.addresses;
  const shown = await shownPurposes(deps, terms);
  if (shown.length === 0) return;
  await adoptKnownPayments(deps, launch);
  const landed = (await observeBundle(deps, launch)).filter(hasLanded);
  const purposes = shown.filter((purpose) => !landed.some((row) => row.purpose === purpose));
  if (purposes.length === 0) return;
  // A restored database may hand out addresses that an older launch used: what is older than this quote is not its own.
  return adoptFromHistory(deps, launchWallet, purposes, launchWallet, terms.payment.blockhashSlot);
}

/** The creator pays the payment's fee, so his signature is its id. */
async function adoptKnownPayments(deps: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<void> {
  const [purpose, signer] = [launchPurpose(quoteId, 1), terms.addresses.launchWallet];
  for (const { signature } of await launches.signatures(deps.db, quoteId)) {
    await adoptSigned(deps, { purpose, signature, signer });
  }
}

/** True when all four transactions are in blocks, as far as the ledger knows. */
export function isWhole(bundle: readonly ChainTransaction[]): boolean {
  return bundle.length === LAUNCH_STEPS.length && bundle.every(hasLanded);
}
