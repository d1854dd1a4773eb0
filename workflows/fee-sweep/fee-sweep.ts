import { continueAsNew, log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { FeeSweepActivities } from '../../activities/fee-sweep/activities.ts';
import type { FeeSweepKey } from '../../domain/fee-sweep/fee-sweep.ts';

const { planFeeSweeps } = proxyActivities<FeeSweepActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

const { takeDueFeeSweeps } = proxyActivities<FeeSweepActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

const { sweepFees } = proxyActivities<FeeSweepActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '2 seconds', maximumAttempts: 3 },
});

/** Sweeps at once: each mostly waits for finality, and the queue has other work. */
const AT_ONCE = 8;

/**
 * Continues open sweeps, reads fees of positions whose pools changed, collects the worthwhile ones. A failed one waits
 * for a later round. Returns the number completed.
 */
export async function feeSweep(): Promise<number> {
  const swept = await sweepDue();
  for (let after: string | null = ''; after !== null;) after = await planFeeSweeps(after);
  return swept + (await sweepDue());
}

async function sweepDue(): Promise<number> {
  let swept = 0;
  for (let due = await takeDueFeeSweeps(); due.length > 0; due = await takeDueFeeSweeps()) {
    swept += await sweepAll(due);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof feeSweep>();
  }
  return swept;
}

async function sweepAll(due: readonly FeeSweepKey[]): Promise<number> {
  const waiting = [...due];
  const lanes = Array.from({ length: AT_ONCE }, () => sweepInTurn(waiting));
  return (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
}

async function sweepInTurn(waiting: FeeSweepKey[]): Promise<number> {
  let swept = 0;
  for (let key = waiting.shift(); key; key = waiting.shift()) {
    try {
      if ((await sweepFees(key)) === 'done') swept++;
    } catch (error) {
      log.warn('a sweep is left for a later round', { ...key, error });
    }
  }
  return swept;
}
