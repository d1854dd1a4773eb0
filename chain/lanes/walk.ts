import { PublicKey } from '@solana/web3.js';
import type { Rpc } from '../rpc/rpc.ts';
import type { LandedTransaction } from '../rpc/transactions.ts';
import { isSignedBy } from '../transactions/verify.ts';
import type { Lane } from './lane.ts';
import { type LaneSecret, numberOf, onceAddress } from './lane-secret.ts';
import { readStep } from './step.ts';

export interface LandedStep {
  readonly lane: number;
  readonly number: number;
  readonly from: bigint;
  readonly to: bigint;
  readonly digest: Uint8Array;
  readonly landed: LandedTransaction;
}

/** Any endpoint may propose; a quorum confirms what landed. */
export type WalkRpc = Pick<Rpc, 'historiesOf' | 'agreedTransaction'>;

/** No quorum shows the movement that set the value. Sign nothing in this lane until one does. */
export class LaneGapError extends Error {
  constructor(lane: number, number: number, value: bigint) {
    super(`no quorum of RPC endpoints shows step ${number} of lane ${lane}, which set it to ${value}`);
    this.name = 'LaneGapError';
  }
}

/**
 * Walks from a known value to the current one, oldest first. `to` is a quorum's, and each value determines its
 * predecessor: a liar can fail the search, not change its result. Of several versions of a step the quorum's counts.
 *
 * @throws LaneGapError if a step is hidden or the known value is not on the path
 */
export async function walkLane(
  rpc: WalkRpc,
  secret: LaneSecret,
  lane: Lane,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<LandedStep[]> {
  const steps: LandedStep[] = [];
  for (let value = to; numberOf(value) > numberOf(from);) {
    const step = await findStep(rpc, secret, lane, value);
    steps.unshift(step);
    value = step.from;
  }
  const first = steps[0];
  if (first && first.from !== from) throw new LaneGapError(lane.index, numberOf(first.from), first.from);
  return steps;
}

/** @throws LaneGapError without a quorum */
export async function findStep(rpc: WalkRpc, secret: LaneSecret, lane: Lane, value: bigint): Promise<LandedStep> {
  const number = numberOf(value);
  const once = onceAddress(secret, lane.index, number);
  for (const signature of await namersOf(rpc, once)) {
    const landed = await rpc.agreedTransaction(signature);
    const step = landed && stepOf(lane, landed, once);
    if (step && step.to === value) return step;
  }
  throw new LaneGapError(lane.index, number, value);
}

/** Finds successful transactions, oldest first; the step itself is the first possible one. */
async function namersOf(rpc: WalkRpc, once: PublicKey): Promise<string[]> {
  const range = { commitment: 'finalized', limit: Number.POSITIVE_INFINITY } as const;
  const histories = await rpc.historiesOf(once.toBase58(), range);
  const slots = new Map(
    histories.flat().flatMap(({ signature, slot, err }) => (err === null ? [[signature, slot]] : [])),
  );
  return [...slots].toSorted(([, a], [, b]) => a - b).map(([signature]) => signature);
}

function stepOf(lane: Lane, landed: LandedTransaction, once: PublicKey): LandedStep | null {
  if (landed.err !== null || !isSignedBy(landed.wire, lane.authority.toBase58())) return null;
  const step = readStep(landed.wire, loadedBy(landed));
  if (!step?.mint.equals(lane.mint) || !step.once.equals(once)) return null;
  const { from, to } = step;
  return { lane: lane.index, number: numberOf(to), from, to, digest: step.digest(), landed };
}

export function loadedBy({ loadedAddresses }: LandedTransaction): PublicKey[] {
  return loadedAddresses.map((address) => new PublicKey(address));
}
