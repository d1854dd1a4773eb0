import { effectOf } from '../../chain/launch/marks.ts';
import { hasBegun } from '../../chain/launch/has-begun.ts';
import { type Db, transaction } from '../../db/connect.ts';
import { markDead } from '../../db/money/chain-transaction-marks.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import * as tokens from '../../db/tokens.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { launchPurpose } from '../../domain/purpose.ts';
import { adoptSigned } from '../money/adopt.ts';
import { hasLanded } from '../money/book-statuses.ts';
import { adoptBundle, readBundle, searchOf } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { marksOf } from './marks.ts';

/**
 * Settles the launch once the missing transactions are proven dead. Without the payment it ends `not_landed`, not
 * charged; with it, the rest is signed again.
 */
export async function settleExpired(
  deps: LaunchDeps,
  launch: LaunchRecord,
  bundle: readonly ChainTransaction[],
): Promise<boolean> {
  const missing = bundle.filter((row) => !hasLanded(row));
  if (missing.length > 0) {
    const fate = await fateOf(deps, launch, missing);
    if (fate === 'open') return false;
    if (fate !== 'dead') return parkUnexplained(deps, launch, fate.unexplained);
  }
  const isPaid = bundle.some((row) => row.purpose === launchPurpose(launch.quoteId, 1) && hasLanded(row));
  if (!isPaid && (bundle.some(hasLanded) || (await hasBegun(deps.rpc, launch.terms, deps.now())))) {
    return settleUnpaid(deps, launch, missing);
  }
  await bury(deps, launch, missing, isPaid);
  return true;
}

/**
 * Settles a launch that the chain shows without this payment: another payment message of an older database copy
 * landed, or a stranger's lamports let the rest land unpaid. Once that is final, an operator decides.
 */
async function settleUnpaid(
  deps: LaunchDeps,
  launch: LaunchRecord,
  missing: readonly ChainTransaction[],
): Promise<boolean> {
  await adoptBundle(deps, launch);
  const landed = (await readBundle(deps.db, launch.quoteId)).filter(hasLanded);
  const isPaid = landed.some(({ purpose }) => purpose === launchPurpose(launch.quoteId, 1));
  if (isPaid || landed.length === 0 || landed.some(({ status }) => status !== 'finalized')) return false;
  const blockedReason = `the payment is dead, but ${landed.map(({ purpose }) => purpose).join(', ')} landed: a stranger paid for that`;
  await transaction(deps.db, async (tx) => {
    const details = { blockedReason, paymentSignature: null };
    await transitionLaunch(tx, launch.quoteId, ['landing'], 'needs_recovery', details);
    await markAllDead(tx, missing);
  });
  deps.logger.error({ blockedReason }, 'launch needs an operator');
  return true;
}

/** The effect or its history was faked, so no proof is possible: an operator decides. */
async function parkUnexplained(deps: LaunchDeps, { quoteId }: LaunchRecord, why: string): Promise<boolean> {
  const blockedReason = `it cannot be said what landed of the bundle: ${why}`;
  const parked = await transitionLaunch(deps.db, quoteId, ['landing'], 'needs_recovery', { blockedReason });
  if (parked) deps.logger.error({ blockedReason }, 'launch needs an operator');
  return parked;
}

/** `unexplained`: why it can never be decided. */
type Fate = 'dead' | 'open' | { readonly unexplained: string };

async function fateOf(deps: LaunchDeps, launch: LaunchRecord, missing: readonly ChainTransaction[]): Promise<Fate> {
  const marks = marksOf(deps, launch.terms);
  const verdict = await deps.rpc.proveDead({
    signatures: missing.map((row) => row.signature),
    lastValidBlockHeight: Math.max(...missing.map((row) => Number(row.lastValidBlockHeight))),
    blockhashSlot: Math.min(...missing.map((row) => Number(row.blockhashSlot))),
    effects: missing.map((row) => effectOf(launch.terms, row, marks)),
  });
  switch (verdict.verdict) {
    case 'dead':
      return 'dead';
    case 'alive':
      return 'open';
    case 'unexplained':
      return { unexplained: verdict.reason };
    case 'unknown':
      deps.logger.warn({ reason: verdict.reason }, 'no proof yet whether the bundle is dead');
      return 'open';
    case 'landed':
      // If no node keeps memos, only the proof names the second signature of the message.
      for (const { purpose } of missing) {
        await adoptSigned(deps, searchOf(launch.terms, verdict.slot), { purpose, signature: verdict.signature });
      }
      await adoptBundle(deps, launch);
      return 'open';
  }
}

async function bury(deps: LaunchDeps, launch: LaunchRecord, missing: readonly ChainTransaction[], isPaid: boolean) {
  await transaction(deps.db, async (tx) => {
    if (isPaid) await transitionLaunch(tx, launch.quoteId, ['landing'], 'resuming');
    else await bookNotCharged(tx, launch, 'landing', 'the bundle did not land before its blockhash expired');
    await markAllDead(tx, missing);
  });
  deps.logger.info({ isPaid, signatures: missing.map((row) => row.signature) }, 'missing transactions are dead');
}

/** Books a launch as not charged, whose sent payment is proven dead. `giveUpUnsent` books unsent ones. */
export async function bookNotCharged(
  tx: Db,
  { quoteId, mint }: LaunchRecord,
  from: LaunchState,
  reason: string,
): Promise<void> {
  await transitionLaunch(tx, quoteId, [from], 'not_landed', { reason, paymentSignature: null });
  await tokens.withdraw(tx, mint);
}

/** Marks the open transactions dead once that is proven. Returns why it can never be proven; usually undefined. */
export async function buryDead(
  deps: LaunchDeps,
  launch: LaunchRecord,
  open: readonly ChainTransaction[],
): Promise<string | undefined> {
  if (open.length === 0) return undefined;
  const fate = await fateOf(deps, launch, open);
  if (fate === 'open') return undefined;
  if (fate !== 'dead') return fate.unexplained;
  await transaction(deps.db, (tx) => markAllDead(tx, open));
  deps.logger.info({ signatures: open.map((row) => row.signature) }, 'open transactions are dead');
  return undefined;
}

async function markAllDead(tx: Db, rows: readonly ChainTransaction[]): Promise<void> {
  for (const { signature, purpose } of rows) {
    const { outcome, status } = await markDead(tx, signature);
    // Roll back: the ledger learned meanwhile that it landed.
    if (outcome === 'refused') throw new Error(`${purpose} ${signature} is ${status}, so it cannot be booked as dead`);
  }
}
