import * as chainTransactions from '../../db/money/chain-transactions.ts';
import type { Db } from '../../db/connect.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { LAUNCH_STEPS, launchPrefix, launchPurpose, type Purpose } from '../../domain/purpose.ts';
import * as launches from '../../db/launch/launches.ts';
import { adoptFromHistory, adoptSigned, type Search } from '../money/adopt.ts';
import { bookRecent, bookStatuses, hasLanded } from '../money/book-statuses.ts';
import type { LaunchDeps } from './deps.ts';
import { shownPurposes } from './marks.ts';

/** Reads transactions that landed or may still land, in bundle order. */
export function readBundle(db: Db, quoteId: string): Promise<ChainTransaction[]> {
  return chainTransactions.liveByPrefix(db, launchPrefix(quoteId));
}

export async function observeBundle(deps: LaunchDeps, { quoteId }: LaunchRecord): Promise<ChainTransaction[]> {
  const bundle = await readBundle(deps.db, quoteId);
  const changed = await bookStatuses(deps, bundle);
  return changed ? readBundle(deps.db, quoteId) : bundle;
}

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
 * Searches up to a slot in which the chain showed the bundle. Transactions before its quote belong to an older launch
 * on the same addresses.
 */
export function searchOf({ addresses, payment }: LaunchTerms, asOfSlot: number): Search {
  const { launchWallet } = addresses;
  return { escrow: launchWallet, signer: launchWallet, span: { sinceSlot: payment.blockhashSlot, asOfSlot } };
}

/**
 * Books what the chain has and the ledger lacks. The payment is found by the ids that its creator submitted. Strangers
 * can lengthen the launch wallet's history, so it is read only for effects that no known transaction explains.
 *
 * @throws UnknownError if the chain shows an effect and no quorum has the history
 */
export async function adoptBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  const { purposes: shown, slot } = await shownPurposes(deps, launch.terms);
  if (shown.length === 0) return;
  const search = searchOf(launch.terms, slot);
  const unexplained = async (): Promise<Purpose[]> => {
    const landed = (await observeBundle(deps, launch)).filter(hasLanded);
    return shown.filter((purpose) => !landed.some((row) => row.purpose === purpose));
  };
  const [payment, unknown] = [launchPurpose(launch.quoteId, 1), await unexplained()];
  if (unknown.includes(payment)) await adoptKnownPayments(deps, search, payment, launch.quoteId);
  const left = unknown.includes(payment) ? await unexplained() : unknown;
  if (left.length > 0) await adoptFromHistory(deps, search, left);
}

/** The creator pays the payment's fee, so the creator's signature is its id. */
async function adoptKnownPayments(deps: LaunchDeps, search: Search, purpose: Purpose, quoteId: string): Promise<void> {
  for (const { signature } of await launches.signatures(deps.db, quoteId)) {
    await adoptSigned(deps, search, { purpose, signature });
  }
}

export function isWhole(bundle: readonly ChainTransaction[]): boolean {
  return bundle.length === LAUNCH_STEPS.length && bundle.every(hasLanded);
}
