import { batchesOf } from '../../domain/batches.ts';
import { answersOf, type EndpointSet } from './endpoints.ts';
import type { RpcEndpoint } from './json-rpc.ts';
import { type StatusAnswer, StatusesShape } from './shapes.ts';

/** Depth of a read; only `finalized` is beyond any fork. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

export interface SignatureStatus {
  /** By a quorum; `processed` if none confirms more. */
  readonly commitment: Commitment;
  /** Of any endpoint. */
  readonly deepest: Commitment;
  readonly slot: number;
  /** Null on success. A failed transaction has landed and paid its fee. */
  readonly err: unknown;
  /** Endpoints that report it at `commitment` or deeper with the same outcome, if finalized also with the same slot. */
  readonly witnesses: number;
}

export interface StatusOptions {
  /**
   * Beyond a node's cache of recent blocks; default true. Without it many providers charge a tenth, and a transaction
   * that landed minutes ago looks unknown.
   */
  readonly search?: boolean;
}

/** Limit of `getSignatureStatuses`. */
export const STATUS_BATCH = 256;
const DEPTH: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: 2 };
const DEEPEST_FIRST = ['finalized', 'confirmed'] as const;

/** Wait for a second endpoint to confirm the first, ms. */
const WITNESS_GRACE_MS = 2_000;

/**
 * Reads statuses by a quorum, in order; null if no prompt endpoint has seen it, which proves nothing: see
 * `presenceSince` and `proveDead`. One endpoint can invent a transaction, so `confirmed` and `finalized` need two.
 *
 * @throws RpcUnavailableError when no endpoint responded
 */
export async function signatureStatuses(
  endpoints: EndpointSet,
  signatures: readonly string[],
  { search = true }: StatusOptions = {},
): Promise<(SignatureStatus | null)[]> {
  const merged = await Promise.all(
    batchesOf(signatures, STATUS_BATCH).map(async (batch) => {
      const ask = (endpoint: RpcEndpoint) => askStatuses(endpoint, batch, search);
      const merge = (answers: readonly EndpointStatuses[]) => mergedStatuses(endpoints, batch, answers);
      const isDecided = (answers: readonly EndpointStatuses[]) =>
        answers.length >= endpoints.quorum && merge(answers).every(isConfirmed);
      const prompt = answersOf(await endpoints.promptReplies(ask));
      if (isDecided(prompt)) return merge(prompt);
      return merge(answersOf(await endpoints.quorumReplies(ask, { graceMs: WITNESS_GRACE_MS, isDecided })));
    }),
  );
  return merged.flat();
}

function isConfirmed(status: SignatureStatus | null): boolean {
  return status === null || status.commitment === status.deepest;
}

interface EndpointStatuses {
  readonly statuses: readonly (EndpointStatus | null)[];
}

function mergedStatuses(
  { quorum }: Pick<EndpointSet, 'quorum'>,
  batch: readonly string[],
  answers: readonly EndpointStatuses[],
): (SignatureStatus | null)[] {
  const saidOf = (index: number) => answers.map(({ statuses }) => statuses[index] ?? null);
  return batch.map((_, index) => mergeStatuses(saidOf(index), quorum));
}

export async function askStatuses(endpoint: RpcEndpoint, signatures: readonly string[], search = true) {
  const answer = await endpoint.call(
    'getSignatureStatuses',
    [signatures, { searchTransactionHistory: search }],
    StatusesShape,
  );
  return { slot: answer.context.slot, statuses: signatures.map((_, index) => readStatus(answer.value[index] ?? null)) };
}

export type EndpointStatus = Omit<SignatureStatus, 'witnesses' | 'deepest'>;

function readStatus(answer: StatusAnswer | null): EndpointStatus | null {
  if (answer === null) return null;
  // Older nodes report a rooted transaction only by absent confirmations.
  const commitment = answer.confirmationStatus ?? (answer.confirmations === null ? 'finalized' : 'processed');
  return { commitment, slot: answer.slot, err: answer.err ?? null };
}

function mergeStatuses(statuses: readonly (EndpointStatus | null)[], quorum: number): SignatureStatus | null {
  const seen = statuses.filter((status): status is EndpointStatus => status !== null);
  const [first] = seen.toSorted((a, b) => DEPTH[b.commitment] - DEPTH[a.commitment]);
  if (!first) return null;
  const deepest = first.commitment;
  const confirmed = DEEPEST_FIRST.map((depth) => bestClaim(seen, depth)).find(
    (claim) => (claim?.witnesses ?? 0) >= quorum,
  );
  return { ...(confirmed ?? { ...first, witnesses: seen.length, commitment: 'processed' }), deepest };
}

/** The most frequent claim at this depth: one endpoint cannot suppress two. */
function bestClaim(seen: readonly EndpointStatus[], depth: Commitment) {
  const deep = seen.filter(({ commitment }) => DEPTH[commitment] >= DEPTH[depth]);
  const claims = deep.map((claim) => ({
    ...claim,
    commitment: depth,
    witnesses: deep.filter((other) => confirms(other, claim, depth)).length,
  }));
  return claims.toSorted((a, b) => b.witnesses - a.witnesses || b.slot - a.slot)[0];
}

/** True if the outcomes match, at `finalized` also the slots: before finality blocks may be of different forks. */
function confirms(other: EndpointStatus, claim: EndpointStatus, depth: Commitment): boolean {
  const isSameOutcome = (other.err === null) === (claim.err === null);
  return isSameOutcome && (depth !== 'finalized' || other.slot === claim.slot);
}
