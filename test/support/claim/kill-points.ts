import type { ClaimState } from '../../../domain/claim/state.ts';
import { claimKillPurpose, claimPurpose } from '../../../domain/claim/purpose.ts';
import { claimWorkflowId } from '../../../workflows/messages/claim.ts';
import { forbidInserts, isWaitingToPersist } from '../../campaigns/chaos/processes/points.ts';
import type { RealStack } from '../../campaigns/chaos/processes/real-stack.ts';
import { completedIn } from '../../campaigns/chaos/processes/sight.ts';

/** A claim that is under way, as somebody outside of the processes knows it. */
export interface ClaimUnderWay {
  readonly intentId: string;
  /** Of the wallet's signature over it, base58. */
  readonly signature: string;
}

/** A moment in the life of a claim at which a process can be ended. */
export interface ClaimPoint {
  readonly name: string;
  /** Whether the claim has come so far. */
  readonly reached: (stack: RealStack, claim: ClaimUnderWay) => Promise<boolean>;
  /** Prepares the moment before the submit; the answer undoes it. */
  readonly arm?: (stack: RealStack) => Promise<() => Promise<void>>;
  /** How the claim ends; default: it is paid. */
  readonly ends?: 'not_landed';
  /** Comes before the submit. */
  readonly isEarly?: true;
  /** Comes after the creator's answer: blocks must be finalized. */
  readonly isLate?: true;
}

/** Every moment between two steps of a claim, and those between two effects within one. */
export const CLAIM_POINTS: readonly ClaimPoint[] = [
  { name: 'issued', reached: () => Promise.resolve(true), isEarly: true },
  { name: 'opened', reached: done('openClaim'), isEarly: true },
  { name: 'taken in', reached: since('submitted', 'relaying', 'relayed', 'finalized') },
  { name: 'signed', reached: isWaitingToPersist, arm: forbidInserts },
  { name: 'persisted', reached: since('relaying', 'relayed', 'finalized') },
  { name: 'released', reached: ledgerOf(claimPurpose, 'broadcasting', 'landed', 'finalized') },
  { name: 'sent', reached: isInABlock },
  { name: 'relayed', reached: since('relayed', 'finalized') },
  { name: 'finalized', reached: since('finalized'), isLate: true },
  { name: 'given up', reached: since('killing', 'not_landed'), arm: dropEverything, ends: 'not_landed' },
  { name: 'kill sent', reached: ledgerOf(claimKillPurpose, 'broadcasting'), arm: dropEverything, ends: 'not_landed' },
];

function since(...states: ClaimState[]): ClaimPoint['reached'] {
  return async ({ db }, { intentId }) => {
    const row = await db.selectFrom('claimIntents').select('state').where('intentId', '=', intentId).executeTakeFirst();
    return row !== undefined && states.includes(row.state);
  };
}

function ledgerOf(purposeOf: typeof claimPurpose, ...statuses: string[]): ClaimPoint['reached'] {
  return async ({ db }, { intentId }) => {
    const rows = db.selectFrom('chainTransactions').select('status').where('purpose', '=', purposeOf(intentId));
    return (await rows.execute()).some(({ status }) => statuses.includes(status));
  };
}

function done(activity: string): ClaimPoint['reached'] {
  return async (stack, { intentId }) => (await completedIn(stack, claimWorkflowId(intentId))).includes(activity);
}

/** In a block that nobody has voted on yet. */
async function isInABlock({ connection }: RealStack, { signature }: ClaimUnderWay): Promise<boolean> {
  return (await connection.getSignatureStatus(signature)).value !== null;
}

/** Nothing that is sent reaches a block, the kill neither. */
async function dropEverything(stack: RealStack): Promise<() => Promise<void>> {
  await stack.control('dropTransactions', { count: 1_000_000 });
  return async () => void (await stack.control('clear', {}));
}
