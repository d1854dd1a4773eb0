import { answersOf, type EndpointSet } from './endpoints.ts';
import { type RpcEndpoint } from './json-rpc.ts';
import { type StatusAnswer, StatusesShape } from './shapes.ts';

/** The depth at which a transaction was seen. Only `finalized` is beyond any fork. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** A transaction that at least one endpoint has seen. */
export interface SignatureStatus {
  readonly commitment: Commitment;
  readonly slot: number;
  /** The chain's TransactionError; null when the transaction succeeded. A failed one has landed and paid its fee. */
  readonly err: unknown;
  /** How many endpoints report it at this commitment or deeper; of a finalized one, with the same slot and outcome. */
  readonly witnesses: number;
}

/** `getSignatureStatuses` takes at most this many. */
const STATUS_BATCH = 256;
const DEPTH: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: 2 };

/** How long a second endpoint is waited for that has to bear out a finality, in ms. */
const FINALITY_GRACE_MS = 2_000;

/**
 * The deepest status that any prompt endpoint reports, in the order of `signatures`; null where none has seen one. Null
 * proves nothing: see `proveDead`. Nothing is looked at again once it is finalized, so that takes a quorum of endpoints;
 * without one the status is `confirmed`.
 * @throws RpcUnavailableError when no endpoint answered.
 */
export async function signatureStatuses(
  endpoints: EndpointSet,
  signatures: readonly string[],
): Promise<(SignatureStatus | null)[]> {
  const batches = Array.from({ length: Math.ceil(signatures.length / STATUS_BATCH) }, (_, index) =>
    signatures.slice(index * STATUS_BATCH, (index + 1) * STATUS_BATCH),
  );
  const merged = await Promise.all(
    batches.map(async (batch) => {
      const prompt = await mergedStatuses(endpoints, batch);
      const isProven = (status: SignatureStatus | null) => !isFinal(status) || status.witnesses >= endpoints.quorum;
      if (prompt.every(isProven)) return prompt;
      const patient = await mergedStatuses(endpoints, batch, FINALITY_GRACE_MS);
      return patient.map((status) => (isProven(status) ? status : { ...status!, commitment: 'confirmed' as const }));
    }),
  );
  return merged.flat();
}

async function mergedStatuses(endpoints: EndpointSet, batch: readonly string[], graceMs?: number) {
  const answers = answersOf(await endpoints.promptReplies((endpoint) => askStatuses(endpoint, batch), graceMs));
  return batch.map((_, index) => mergeStatuses(answers.map(({ statuses }) => statuses[index] ?? null)));
}

function isFinal<Status extends EndpointStatus>(status: Status | null): status is Status {
  return status?.commitment === 'finalized';
}

/** One endpoint's statuses, with history search, and the slot that it answered at. */
export async function askStatuses(endpoint: RpcEndpoint, signatures: readonly string[]) {
  const answer = await endpoint.call(
    'getSignatureStatuses',
    [signatures, { searchTransactionHistory: true }],
    StatusesShape,
  );
  return { slot: answer.context.slot, statuses: signatures.map((_, index) => readStatus(answer.value[index] ?? null)) };
}

/** One endpoint's word on a signature. */
export type EndpointStatus = Omit<SignatureStatus, 'witnesses'>;

function readStatus(answer: StatusAnswer | null): EndpointStatus | null {
  if (answer === null) return null;
  // Nodes older than the field report a rooted transaction by its absent confirmations alone.
  const commitment = answer.confirmationStatus ?? (answer.confirmations === null ? 'finalized' : 'processed');
  return { commitment, slot: answer.slot, err: answer.err ?? null };
}

function mergeStatuses(statuses: readonly (EndpointStatus | null)[]): SignatureStatus | null {
  const seen = statuses.filter((status): status is EndpointStatus => status !== null);
  const claims = seen.map((claim) => ({
    ...claim,
    witnesses: seen.filter((status) => bearsOut(status, claim)).length,
  }));
  const depth = ({ commitment }: EndpointStatus) => DEPTH[commitment];
  // Among the deepest the one that most bear out: a single endpoint cannot keep two others from being heard.
  const [deepest] = claims.toSorted((a, b) => depth(b) - depth(a) || b.witnesses - a.witnesses || b.slot - a.slot);
  return deepest ?? null;
}

function bearsOut(status: EndpointStatus, claim: EndpointStatus): boolean {
  const isSame = status.slot === claim.slot && (status.err === null) === (claim.err === null);
  return DEPTH[status.commitment] >= DEPTH[claim.commitment] && (isSame || !isFinal(claim));
}
