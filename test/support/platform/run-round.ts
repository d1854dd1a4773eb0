import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Round } from '../../../workflows/start.ts';

/** Runs a scheduled workflow once, now, and waits for its end; answers what it counted. */
export function runRound<Result = number>(
  { client }: { readonly client: Client },
  { workflowType, taskQueue }: Round,
  workflowId: string = randomUUID(),
): Promise<Result> {
  return client.workflow.execute<() => Promise<Result>>(workflowType, { taskQueue, workflowId, args: [] });
}
