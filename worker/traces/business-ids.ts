import type { SpanFields } from '../../observe/traces/traces.ts';
import { airdropWorkflowId } from '../../workflows/airdrop/messages.ts';
import { claimNonceWorkflowId, claimWorkflowId } from '../../workflows/claim/messages.ts';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';

/** Prefixes of workflow ids, longer ones first. */
const NAMED_AFTER: readonly (readonly [string, string])[] = [
  [launchWorkflowId(''), 'quoteId'],
  [airdropWorkflowId(''), 'quoteId'],
  [claimNonceWorkflowId(''), 'mint'],
  [claimWorkflowId(''), 'intentId'],
];

export function idsOfWorkflow(workflowId: string): SpanFields {
  const [prefix, name] = NAMED_AFTER.find(([start]) => workflowId.startsWith(start)) ?? [];
  if (prefix === undefined || name === undefined) return { workflowId };
  return { workflowId, [name]: workflowId.slice(prefix.length) };
}

const NAMES = ['mint', 'paymentSignature', 'signature', 'state'];

/** Returns ids and state alone. */
export function idsIn(answer: unknown): SpanFields {
  if (typeof answer !== 'object' || answer === null) return {};
  const found = Object.entries(answer).filter(([name, value]) => NAMES.includes(name) && typeof value === 'string');
  return Object.fromEntries(found);
}
