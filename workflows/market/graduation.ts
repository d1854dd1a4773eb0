import { proxyActivities } from '@temporalio/workflow';
import type { GraduationActivities } from '../../activities/market/graduation.ts';
import { WATCH_TASK_QUEUE, WATCH_WAIT } from '../task-queues.ts';

const { keepMarketIndex, refreshMarketFigures, graduate } = proxyActivities<GraduationActivities>({
  taskQueue: WATCH_TASK_QUEUE,
  scheduleToStartTimeout: WATCH_WAIT,
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 3 },
});

export interface GraduationReport {
  readonly refreshed: number;
  readonly graduated: number;
}

export async function graduation(): Promise<GraduationReport> {
  await keepMarketIndex();
  const graduated = await graduate();
  const refreshed = await refreshMarketFigures();
  return { refreshed, graduated };
}
