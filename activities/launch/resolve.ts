import * as auditLog from '../../db/platform/audit-log.ts';
import { transaction } from '../../db/connect.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import { stateAfterResolution } from '../../domain/launch/machine.ts';
import type { Resolution } from '../../domain/launch/operator-decision.ts';
import { adoptBundle, isWhole, observeBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { missingOnChain } from './missing-on-chain.ts';

/** Carries out what an operator decided, and keeps who, what and why. */
export async function resolveLaunch(deps: LaunchDeps, launch: LaunchRecord, resolution: Resolution): Promise<void> {
  if (launch.state !== 'needs_recovery') return;
  const blockedReason = resolution.action === 'record' ? await whyNotRecord(deps, launch) : undefined;
  const { quoteId } = launch;
  const note = `${resolution.actor ?? 'operator'}: ${resolution.note}`;
  await transaction(deps.db, async (tx) => {
    const to = blockedReason === undefined ? stateAfterResolution(resolution.action) : 'needs_recovery';
    const moved = await transitionLaunch(tx, quoteId, ['needs_recovery'], to, { note, blockedReason });
    if (moved) await auditLog.append(tx, auditOf(quoteId, resolution, blockedReason));
  });
  deps.logger.warn({ action: resolution.action, actor: resolution.actor, blockedReason }, 'operator decided');
}

/** A launch is recorded only as what the chain shows; the ledger learns from it first. */
async function whyNotRecord(deps: LaunchDeps, launch: LaunchRecord): Promise<string | undefined> {
  await adoptBundle(deps, launch);
  const missing = await missingOnChain(deps, launch.terms);
  if (missing.length > 0) return `record was refused: the chain shows no ${missing.join(', no ')}`;
  if (isWhole(await observeBundle(deps, launch))) return undefined;
  return 'record was refused: mint, pool and locks exist, but not all transactions that made them were found';
}

function auditOf(quoteId: string, { action, note, actor }: Resolution, refused: string | undefined) {
  return {
    actor: actor ?? 'temporal-ui',
    note,
    subject: `launch/${quoteId}`,
    action: `launch.${action}`,
    details: refused === undefined ? {} : { refused },
  };
}
