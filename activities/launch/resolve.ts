import { appendAudit } from '../../db/audit-log.ts';
import { transaction } from '../../db/connect.ts';
import { createLaunchRepository } from '../../db/launches.ts';
import type { LaunchRecord } from '../../db/records.ts';
import type { Resolution } from '../../domain/launch-resolution.ts';
import type { LaunchDeps } from './deps.ts';

/** Carries out what an operator decided, and keeps who, what and why. */
export async function resolveLaunch(deps: LaunchDeps, launch: LaunchRecord, resolution: Resolution): Promise<void> {
  const { quoteId } = launch;
  const resolved = await transaction(deps.db, async (tx) => {
    const note = `operator: ${resolution.note}`;
    const moved = await createLaunchRepository(tx).transition(quoteId, ['needs_recovery'], 'resuming', { note });
    if (moved) await appendAudit(tx, auditOf(quoteId, resolution));
    return moved;
  });
  deps.logger.warn({ action: resolution.action, resolved }, 'operator resolved the launch');
}

function auditOf(quoteId: string, { action, note }: Resolution) {
  return { actor: 'temporal', action: `launch.${action}`, subject: `launch/${quoteId}`, note };
}
