import type { SpanFields } from '../../observe/traces/traces.ts';
import { airdropWorkflowId } from '../../workflows/airdrop/messages.ts';
import { claimNonceWorkflowId, claimWorkflowId } from '../../workflows/claim/messages.ts';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';

/** What workflows are named after; the longer beginning first. */
const NAMED_AFTER: readonly (readonly [string, string])[] = [
  [launchWorkflowId(''), 'quoteId'],
  [airdropWorkflowId(''), 'quoteId'],
  [claimNonceWorkflowId(''), 'mint'],
  [claimWorkflowId(''), 'intentId'],
];

/** The id of a workflow with what it is named after, by the names of log lines. */
export function idsOfWorkflow(workflowId: string): SpanFields {
  const [prefix, name] = NAMED_AFTER.find(([start]) => workflowId.startsWith(start)) ?? [];
  if (prefix === undefined || name === undefined) return { workflowId };
  return { workflowId, [name]: workflowId.slice(prefix.length) };
}

const NAMES = ['mint', 'paymentSignature', 'signature', 'state'];

/** Ids and state in what an activity answers, where it has any; nothing else of it. */
export function idsIn(answer: unknown): SpanFields {
  if (typeof answer !== 'object' || answer === null) return {};
  const found = Object.entries(answer).filter(([name, value]) => NAMES.includes(name) && typeof value === 'string');
  return Object.fromEntries(found);
}
