import { batchesOf } from '../../domain/batches.ts';
import { answersOf, type EndpointSet, quorumAnswersOf } from './endpoints.ts';
import type { RpcEndpoint } from './json-rpc.ts';
import { type StatusAnswer, StatusesShape } from './shapes.ts';

/** The depth at which a transaction was seen. Only `finalized` is beyond any fork. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** A transaction that at least one endpoint has seen. */
export interface SignatureStatus {
  /** The deepest that a quorum of endpoints bears out; `processed` where there is none for more. */
  readonly commitment: Commitment;
  /** The deepest that any endpoint reports: deeper than `commitment` where it stands alone with that. */
  readonly deepest: Commitment;
  readonly slot: number;
  /** The chain's TransactionError; null when the transaction succeeded. A failed one has landed and paid its fee. */
  readonly err: unknown;
  /** How many endpoints report it at `commitment` or deeper with the same outcome; of a finalized one, with the same slot too. */
  readonly witnesses: number;
}

/** How statuses are asked for. */
export interface StatusOptions {
  /**
   * Also older transactions than the recent blocks that a node keeps statuses of; default true. Without, many providers take a
   * tenth of the price, and what landed minutes ago looks as if it never had.
   */
  readonly search?: boolean;
}

/** `getSignatureStatuses` takes at most this many. */
const STATUS_BATCH = 256;
const DEPTH: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: 2 };
const DEEPEST_FIRST = ['finalized', 'confirmed'] as const;

/** How long a second endpoint is waited for that has to bear out the first one, in ms. */
const WITNESS_GRACE_MS = 2_000;

/**
 * What a quorum of endpoints says of each signature, in their order; null where no prompt endpoint has seen it. Null proves
 * nothing: see `proveDead`. One endpoint alone can invent a transaction, so where several are configured neither `confirmed`
 * nor `finalized` is said without a second one.
 * @throws RpcUnavailableError when no endpoint answered.
 */
export async function signatureStatuses(
  endpoints: EndpointSet,
  signatures: readonly string[],
  { search = true }: StatusOptions = {},
): Promise<(SignatureStatus | null)[]> {
  const merged = await Promise.all(
    batchesOf(signatures, STATUS_BATCH).map(async (batch) => {
      const { answered, statuses: prompt } = await mergedStatuses(endpoints, batch, search);
      const isBorneOut = (status: SignatureStatus | null) => status === null || status.commitment === status.deepest;
      if (answered >= endpoints.quorum && prompt.every(isBorneOut)) return prompt;
      return (await mergedStatuses(endpoints, batch, search, WITNESS_GRACE_MS)).statuses;
    }),
  );
  return merged.flat();
}

/**
 * Which of these signatures are in no block: a quorum of endpoints searched for them and has none, or one that nobody has voted on.
 * @throws RpcUnavailableError when fewer than a quorum answered.
 */
export async function absentSignatures(
  endpoints: EndpointSet,
  signatures: readonly string[],
): Promise<ReadonlySet<string>> {
  const absent = new Set<string>();
  for (const batch of batchesOf(signatures, STATUS_BATCH)) {
    const replies = await endpoints.promptReplies((endpoint) => askStatuses(endpoint, batch), WITNESS_GRACE_MS);
    const said = quorumAnswersOf(endpoints, replies, `whether ${batch.join(', ')} are gone`);
    batch.forEach((signature, index) => {
      const denials = said.filter(({ statuses }) => (statuses[index]?.commitment ?? 'processed') === 'processed');
      if (denials.length >= endpoints.quorum) absent.add(signature);
    });
  }
  return absent;
}

async function mergedStatuses(endpoints: EndpointSet, batch: readonly string[], search: boolean, graceMs?: number) {
  const answers = answersOf(await endpoints.promptReplies((endpoint) => askStatuses(endpoint, batch, search), graceMs));
  const statuses = batch.map((_, index) =>
    mergeStatuses(
      answers.map(({ statuses }) => statuses[index] ?? null),
      endpoints.quorum,
    ),
  );
  return { answered: answers.length, statuses };
}

/** One endpoint's statuses, with history search unless told otherwise, and the slot that it answered at. */
export async function askStatuses(endpoint: RpcEndpoint, signatures: readonly string[], search = true) {
  const answer = await endpoint.call(
    'getSignatureStatuses',
    [signatures, { searchTransactionHistory: search }],
    StatusesShape,
  );
  return { slot: answer.context.slot, statuses: signatures.map((_, index) => readStatus(answer.value[index] ?? null)) };
}

/** One endpoint's word on a signature. */
export type EndpointStatus = Omit<SignatureStatus, 'witnesses' | 'deepest'>;

function readStatus(answer: StatusAnswer | null): EndpointStatus | null {
  if (answer === null) return null;
  // Nodes older than the field report a rooted transaction by its absent confirmations alone.
  const commitment = answer.confirmationStatus ?? (answer.confirmations === null ? 'finalized' : 'processed');
  return { commitment, slot: answer.slot, err: answer.err ?? null };
}

function mergeStatuses(statuses: readonly (EndpointStatus | null)[], quorum: number): SignatureStatus | null {
  const seen = statuses.filter((status): status is EndpointStatus => status !== null);
  const [first] = seen.toSorted((a, b) => DEPTH[b.commitment] - DEPTH[a.commitment]);
  if (!first) return null;
  const deepest = first.commitment;
  const borneOut = DEEPEST_FIRST.map((depth) => bestClaim(seen, depth)).find(
    (claim) => (claim?.witnesses ?? 0) >= quorum,
  );
  return { ...(borneOut ?? { ...first, witnesses: seen.length, commitment: 'processed' }), deepest };
}

/** What most endpoints say of those that report at least this depth: one cannot keep two others from being heard. */
function bestClaim(seen: readonly EndpointStatus[], depth: Commitment) {
  const deep = seen.filter(({ commitment }) => DEPTH[commitment] >= DEPTH[depth]);
  const claims = deep.map((claim) => ({
    ...claim,
    commitment: depth,
    witnesses: deep.filter((other) => bearsOut(other, claim, depth)).length,
  }));
  return claims.toSorted((a, b) => b.witnesses - a.witnesses || b.slot - a.slot)[0];
}

/** Before finality two endpoints may see a transaction in the blocks of two forks. */
function bearsOut(other: EndpointStatus, claim: EndpointStatus, depth: Commitment): boolean {
  const isSameOutcome = (other.err === null) === (claim.err === null);
  return isSameOutcome && (depth !== 'finalized' || other.slot === claim.slot);
}
