import { ROUNDS_TASK_QUEUE } from './task-queues.ts';

/** Registered name of the workflow that delivers an airdrop. */
export const AIRDROP_WORKFLOW = 'airdrop';

/** One launch has at most one airdrop, so at most one workflow delivers it. */
export function airdropWorkflowId(quoteId: string): string {
  return `airdrop-${quoteId}`;
}

/** Input of the airdrop workflow. Everything else lies in the database under this id. */
export interface AirdropInput {
  readonly quoteId: string;
}

/** Shown at the top of the workflow's page in the Temporal UI. */
const SUMMARY = 'Airdrop of a launch: see Current Details under User Metadata';

const DETAILS = `Brings every wallet of a launch's frozen list its tokens, once, after the launch is final.

**Current Details** say how far it is. **Cancelling or terminating decides nothing**: within a minute a new run goes on from the
database, and what was delivered is not delivered again.`;

/** How the workflow of an airdrop is started, by whomever: a running one is kept. */
export function airdropStart(quoteId: string) {
  const args: [AirdropInput] = [{ quoteId }];
  return {
    workflowId: airdropWorkflowId(quoteId),
    taskQueue: ROUNDS_TASK_QUEUE,
    args,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: SUMMARY,
    staticDetails: DETAILS,
  } as const;
}
