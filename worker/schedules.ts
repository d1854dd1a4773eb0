import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy, type ScheduleSpec } from '@temporalio/client';
import type { WorkerConfig } from '../config/worker.ts';
import { BUYBACK_SCHEDULE, BUYBACK_WORKFLOW } from '../workflows/messages/buyback.ts';
import { CLAIM_JANITOR_SCHEDULE, CLAIM_JANITOR_WORKFLOW } from '../workflows/messages/claim.ts';
import { FEE_SWEEP_SCHEDULE, FEE_SWEEP_WORKFLOW } from '../workflows/messages/fee-sweep.ts';
import { JANITOR_WORKFLOW } from '../workflows/messages/janitor.ts';
import { RESTOCK_WORKFLOW } from '../workflows/messages/restock.ts';
import { REWARD_ROUND_SCHEDULE, REWARD_ROUNDS_WORKFLOW } from '../workflows/messages/rewards.ts';
import { SWEEP_WORKFLOW } from '../workflows/messages/sweep.ts';
import { GRADUATION_WORKFLOW, HOLDER_COUNT_SCHEDULE, HOLDER_COUNT_WORKFLOW } from '../workflows/messages/market.ts';
import { ROUNDS_TASK_QUEUE, type TaskQueue } from '../workflows/messages/task-queues.ts';

/** One scheduled workflow. Its runs never overlap: a run that is due while the last one works is skipped. */
export interface ScheduleRow {
  /** Id of the schedule and of the workflows it starts (Temporal appends the time). */
  readonly id: string;
  /** Name of a workflow exported from workflows/index.ts. */
  readonly workflowType: string;
  readonly taskQueue: TaskQueue;
  readonly spec: ScheduleSpec;
  /** A run missed by an outage longer than this is not made up for, in ms. */
  readonly catchupWindowMs: number;
  readonly args: readonly unknown[];
}

/** The schedules of this version. A row appears here together with its workflow. */
export const SCHEDULES: readonly ScheduleRow[] = [
  {
    id: JANITOR_WORKFLOW,
    workflowType: JANITOR_WORKFLOW,
    taskQueue: ROUNDS_TASK_QUEUE,
    spec: { intervals: [{ every: '30 seconds' }] },
    // A missed round is made up for by the next one.
    catchupWindowMs: 60_000,
    args: [],
  },
  {
    id: CLAIM_JANITOR_SCHEDULE,
    workflowType: CLAIM_JANITOR_WORKFLOW,
    taskQueue: ROUNDS_TASK_QUEUE,
    spec: { intervals: [{ every: '30 seconds' }] },
    catchupWindowMs: 60_000,
    args: [],
  },
  {
    id: GRADUATION_WORKFLOW,
    workflowType: GRADUATION_WORKFLOW,
    taskQueue: ROUNDS_TASK_QUEUE,
    spec: { intervals: [{ every: '1 minute' }] },
    catchupWindowMs: 60_000,
    args: [],
  },
  {
    id: HOLDER_COUNT_SCHEDULE,
    workflowType: HOLDER_COUNT_WORKFLOW,
    taskQueue: ROUNDS_TASK_QUEUE,
    spec: { intervals: [{ every: '1 minute' }] },
    catchupWindowMs: 60_000,
    args: [],
  },
  {
    id: RESTOCK_WORKFLOW,
    workflowType: RESTOCK_WORKFLOW,
    taskQueue: ROUNDS_TASK_QUEUE,
    // It finds nothing to do until RESTOCK_DAY_LAMPORTS and the marks of a pair are set.
    spec: { intervals: [{ every: '10 minutes' }] },
    catchupWindowMs: 60_000,
    args: [],
  },
  {
    id: FEE_SWEEP_SCHEDULE,
    workflowType: FEE_SWEEP_WORKFLOW,
    taskQueue: ROUNDS_TASK_QUEUE,
    spec: { intervals: [{ every: '1 hour' }] },
    // Fees wait: the next round collects what this one missed.
    catchupWindowMs: 60_000,
    args: [],
  },
  {
    id: BUYBACK_SCHEDULE,
    workflowType: BUYBACK_WORKFLOW,
    taskQueue: ROUNDS_TASK_QUEUE,
    // The jitter draws a moment for each run: who knows the interval does not know when the platform buys.
    spec: { intervals: [{ every: '6 hours' }], jitter: '1 hour' },
    // Budgets wait: the next round spends what this one missed.
    catchupWindowMs: 60_000,
    args: [],
  },
  {
    id: REWARD_ROUND_SCHEDULE,
    workflowType: REWARD_ROUNDS_WORKFLOW,
    taskQueue: ROUNDS_TASK_QUEUE,
    spec: { intervals: [{ every: '1 hour' }] },
    // Rewards wait: the next round collects what this one missed.
    catchupWindowMs: 60_000,
    args: [],
  },
  {
    id: SWEEP_WORKFLOW,
    workflowType: SWEEP_WORKFLOW,
    taskQueue: ROUNDS_TASK_QUEUE,
    spec: { intervals: [{ every: '1 minute' }] },
    catchupWindowMs: 60_000,
    args: [],
  },
];

/** How often runs begin that a deployment may choose, by id of their schedule; ms. */
export type Cadences = Readonly<Partial<Record<string, number>>>;

/** The schedules with the cadences of a deployment. */
export function schedulesWith(cadences: Cadences, rows: readonly ScheduleRow[] = SCHEDULES): readonly ScheduleRow[] {
  return rows.map((row) => {
    const every = cadences[row.id];
    return every === undefined ? row : { ...row, spec: { intervals: [{ every }] } };
  });
}

/** The schedules as an installation has configured them. */
export function schedulesOf({ buyback, rewards }: Pick<WorkerConfig, 'buyback' | 'rewards'>): readonly ScheduleRow[] {
  const rows = schedulesWith({ [REWARD_ROUND_SCHEDULE]: rewards.everyMs, [BUYBACK_SCHEDULE]: buyback.everyMs });
  const jitter = buyback.windowMs;
  return rows.map((row) => (row.id === BUYBACK_SCHEDULE ? { ...row, spec: { ...row.spec, jitter } } : row));
}

/**
 * Creates each schedule or, where its id exists, updates it to the row. A schedule that an operator paused stays paused,
 * and schedules that the table does not know are left alone.
 */
export async function upsertSchedules(client: Client, rows: readonly ScheduleRow[]): Promise<void> {
  for (const row of rows) {
    try {
      await client.schedule.create({ scheduleId: row.id, ...definitionOf(row) });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await client.schedule.getHandle(row.id).update(({ state }) => ({
        ...definitionOf(row),
        state: { paused: state.paused, note: state.note },
      }));
    }
  }
}

function definitionOf(row: ScheduleRow) {
  return {
    spec: row.spec,
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: row.catchupWindowMs },
    action: {
      type: 'startWorkflow' as const,
      workflowType: row.workflowType,
      workflowId: row.id,
      taskQueue: row.taskQueue,
      args: [...row.args],
    },
  };
}
