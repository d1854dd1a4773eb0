import { hasBegun } from '../../chain/launch/has-begun.ts';
import { FAILED_TRIES_LAMPORTS } from '../../chain/launch/payment.ts';
import type { AccountsByEndpoint } from '../../chain/rpc/agreed-accounts.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import * as launches from '../../db/launch/launches.ts';
import type { UnchargedLaunch } from '../../db/money/uncharged.ts';
import type { Finding } from '../../domain/money/finding.ts';
import { ALL_LAUNCHES, type ReconcileDeps } from '../money/reconcile/deps.ts';
import { inState } from '../../domain/in-state.ts';

type LookDeps = Pick<ReconcileDeps, 'db' | 'rpc' | 'now'>;

/**
 * The chain shows payment or mint of a launch called uncharged. A stranger's lamports are no payment if the wallet's
 * history proves that.
 */
export async function compareUncharged(deps: LookDeps, page: readonly UnchargedLaunch[]): Promise<Finding[]> {
  if (page.length === 0) return [];
  const addresses = page.flatMap(({ launchWallet, mint }) => [launchWallet, mint]);
  const said = await unlessAway(() => deps.rpc.accountsByEndpoint(addresses));
  if (said === null) return [unread(ALL_LAUNCHES)];
  const found: Finding[] = [];
  for (const launch of page.filter((one) => isShown(said, one))) found.push(...(await findingOf(deps, launch)));
  return found;
}

/** True if a quorum shows payment or mint: one endpoint alone starts no search of histories. */
function isShown(said: AccountsByEndpoint, { launchWallet, mint, paymentLamports }: UnchargedLaunch): boolean {
  const isPaid = said.agreedReason(launchWallet, (account) =>
    BigInt(account?.lamports ?? 0) >= paymentLamports - FAILED_TRIES_LAMPORTS ? true : null,
  );
  const isMade = said.agreedReason(mint, (account) => ((account?.data.length ?? 0) > 0 ? true : null));
  return isPaid !== null || isMade !== null;
}

async function findingOf({ db, rpc, now }: LookDeps, { quoteId }: UnchargedLaunch): Promise<Finding[]> {
  const launch = inState(await launches.byQuoteId(db, quoteId), 'not_landed');
  if (!launch) return [];
  const begun = await unlessAway(() => hasBegun(rpc, launch.terms, now()));
  if (begun === null) return [unread(`launch/${quoteId}`)];
  if (!begun) return [];
  const [subject, chain] = [`launch/${quoteId}`, `its payment, or its mint ${launch.mint}`];
  return [{ kind: 'paid-unknown', subject, books: 'not charged', chain }];
}

/** Returns a finding without a reason: a finding whose text changes would not be reported. */
function unread(subject: string): Finding {
  return { kind: 'unread', subject, books: 'not charged', chain: 'no quorum' };
}

/** Null if too few endpoints respond. */
async function unlessAway<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RpcUnavailableError) return null;
    throw error;
  }
}
