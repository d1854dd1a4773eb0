import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  QueryNotRegisteredError,
  ServiceError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { Db } from '../../../db/connect.ts';
import * as launches from '../../../db/launch/launches.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import type { Resolution } from '../../../domain/launch/operator-decision.ts';
import { isSettled } from '../../../domain/launch/machine.ts';
import type { LaunchState } from '../../../domain/launch/state.ts';
import {
  LAUNCH_WORKFLOW,
  launchStart,
  launchWorkflowId,
  resolveUpdate,
  stateQuery,
} from '../../../workflows/launch/messages.ts';
import { OpsError } from '../../io.ts';

export interface ResolveDeps {
  readonly db: Db;
  readonly client: Client;
}

export interface Resolved {
  readonly launch: LaunchRecord;
  /** False if accepted, and not acted on yet. */
  readonly carriedOut: boolean;
}

/** Time to read the launch and park, ms; longer means that no worker runs. */
const PARK_WITHIN_MS = 15_000;

/** Time to accept, ms, if it responds to queries. */
const ACCEPT_WITHIN_MS = 20_000;

const POLL_MS = 200;

/**
 * Starts the workflow of a parked launch if needed. Waits at most `waitMs` until the launch is settled, completed, or
 * parked again. Throws an OpsError without a worker, and if the decision is refused.
 */
export async function sendDecision(
  { db, client }: ResolveDeps,
  quoteId: string,
  resolution: Resolution,
  waitMs: number,
): Promise<Resolved> {
  const before = await countStates(db, quoteId);
  // A new run continues from the database; if one runs, this does nothing.
  await client.workflow.start(LAUNCH_WORKFLOW, launchStart(quoteId));
  await untilParked(client, quoteId);
  await updateWorkflow(client, quoteId, resolution);
  return untilAtRest(db, quoteId, before, Date.now() + waitMs);
}

async function untilParked(client: Client, quoteId: string): Promise<void> {
  const deadline = Date.now() + PARK_WITHIN_MS;
  for (;;) {
    const state = await queryState(client, quoteId, deadline);
    if (state === 'needs_recovery') return;
    if (Date.now() > deadline) {
      throw new OpsError(
        state === null
          ? `no worker answers for launch ${quoteId}; nothing was decided. Start the worker and try again`
          : `the workflow of launch ${quoteId} is at ${state}, not needs_recovery; nothing was decided. Try again`,
      );
    }
    await sleep(POLL_MS);
  }
}

/** Null while no worker responds. */
async function queryState(client: Client, quoteId: string, deadline: number): Promise<LaunchState | null> {
  const handle = client.workflow.getHandle(launchWorkflowId(quoteId));
  try {
    return await client.withDeadline(deadline, () => handle.query(stateQuery));
  } catch (error) {
    // The server has several codes for a missing worker.
    if (error instanceof ServiceError || error instanceof QueryNotRegisteredError) return null;
    throw error;
  }
}

async function updateWorkflow(client: Client, quoteId: string, resolution: Resolution): Promise<void> {
  const handle = client.workflow.getHandle(launchWorkflowId(quoteId));
  try {
    await client.withDeadline(Date.now() + ACCEPT_WITHIN_MS, () =>
      handle.executeUpdate(resolveUpdate, { args: [resolution] }),
    );
  } catch (error) {
    throw explained(error, quoteId);
  }
}

function explained(error: unknown, quoteId: string): unknown {
  if (error instanceof WorkflowUpdateFailedError) {
    return new OpsError(`the decision was refused: ${error.cause?.message ?? error.message}`, { cause: error });
  }
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
    const advice = 'the decision may still be taken; look at `launches show` before you decide again';
    return new OpsError(
      `the workflow of launch ${quoteId} did not answer within ${ACCEPT_WITHIN_MS / 1000} s: ${advice}`,
      {
        cause: error,
      },
    );
  }
  return error;
}

async function untilAtRest(db: Db, quoteId: string, before: number, deadline: number): Promise<Resolved> {
  for (;;) {
    // First: a launch that was read before its state was counted may be one that waits for this decision.
    const carriedOut = (await countStates(db, quoteId)) > before;
    const launch = await launches.byQuoteId(db, quoteId);
    if (!launch) throw new OpsError(`launch ${quoteId} has vanished from the database`);
    if ((carriedOut && isAtRest(launch.state)) || Date.now() > deadline) return { launch, carriedOut };
    await sleep(POLL_MS);
  }
}

function isAtRest(state: LaunchState): boolean {
  return isSettled(state) || state === 'completed' || state === 'needs_recovery';
}

/** Counts states: each carried out decision adds one, even if the launch stays parked. */
async function countStates(db: Db, quoteId: string): Promise<number> {
  return (await launches.history(db, quoteId)).length;
}
