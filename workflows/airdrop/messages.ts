import type { Client } from '@temporalio/client';
import { IF_ABSENT } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

/** Names the workflow after the launch, which has at most one airdrop: at most one workflow delivers it. */
export function airdropWorkflowId(quoteId: string): string {
  return `airdrop-${quoteId}`;
}

/** All other data is in the database under this id. */
export interface AirdropInput {
  readonly quoteId: string;
}

/** Shown at the top of the workflow's page in the Temporal UI. */
const SUMMARY = 'Airdrop of a launch: see Current Details under User Metadata';

const DETAILS = `Brings every wallet of a launch's frozen list its tokens, once, after the launch is final.

**Current Details** say how far it is. **Cancelling or terminating decides nothing**: within a minute a new run goes on from the
database, and what was delivered is not delivered again.`;

/** Does nothing if the delivery runs. */
export async function startAirdrop(client: Client, quoteId: string): Promise<void> {
  await client.workflow.start('airdrop', airdropStart(quoteId));
}

/** Restarts the delivery, which ends its retry pause. Returns the workflow's id. */
export async function restartAirdrop(client: Client, quoteId: string): Promise<string> {
  const over = { ...airdropStart(quoteId), workflowIdConflictPolicy: 'TERMINATE_EXISTING' } as const;
  return (await client.workflow.start('airdrop', over)).workflowId;
}

function airdropStart(quoteId: string) {
  const args: [AirdropInput] = [{ quoteId }];
  return {
    ...IF_ABSENT,
    workflowId: airdropWorkflowId(quoteId),
    taskQueue: ROUNDS_TASK_QUEUE,
    args,
    staticSummary: SUMMARY,
    staticDetails: DETAILS,
  };
}
