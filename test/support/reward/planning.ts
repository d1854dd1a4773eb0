import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { REWARD_ROUNDS } from '../../../workflows/reward/messages.ts';
import type { RealStack } from '../../campaigns/chaos/processes/real-stack.ts';
import { createPlayers } from '../../campaigns/mixed/play-on.ts';
import { runRound } from '../platform/run-round.ts';

/** From the end of one planning to the next, in ms. */
const PAUSE_MS = 500;

/** A planning whose worker was killed is tried again after a minute; another one begins meanwhile, after so many ms. */
const PATIENCE_MS = 5_000;

/** Plans due reward rounds again and again, as the schedule does, until it is stopped. */
export function keepPlanning({ temporal }: RealStack): { stop(): Promise<void> } {
  const players = createPlayers();
  const underWay = new Set<string>();
  players.join('plan', PAUSE_MS, async () => {
    const workflowId = randomUUID();
    underWay.add(workflowId);
    const planned = runRound({ client: temporal }, REWARD_ROUNDS, workflowId).finally(() =>
      underWay.delete(workflowId),
    );
    await Promise.race([planned, sleep(PATIENCE_MS, undefined, { ref: false })]);
    // Of one that is left to itself.
    planned.catch(() => undefined);
  });
  return {
    async stop() {
      await players.stop();
      await Promise.all([...underWay].map((workflowId) => terminate(temporal, workflowId)));
      // Continues what a terminated one has planned.
      await runRound({ client: temporal }, REWARD_ROUNDS);
    },
  };
}

/** Does nothing if it has just ended. */
async function terminate(temporal: Client, workflowId: string): Promise<void> {
  try {
    await temporal.workflow.getHandle(workflowId).terminate();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
