import { isCausedBy } from './caused-by.ts';
import { answersOf, type Ask, type EndpointSet } from './endpoints.ts';
import { RpcAnswerError, RpcUnavailableError } from './json-rpc.ts';

const METHOD_NOT_FOUND = -32_601;

/** ms: a refusal needs a second endpoint. */
const GRACE_MS = 2_000;

/** `nothing`: the endpoint lags, or the subject has expired. */
export type Finding = 'success' | 'refusal' | 'nothing';

/**
 * The first success, else the refusal that a quorum confirms: one endpoint that lags or lies ends nothing.
 *
 * @throws RpcUnavailableError without either
 */
export async function confirmedByQuorum<T>(
  endpoints: EndpointSet,
  ask: Ask<T>,
  findingOf: (answer: T) => Finding,
): Promise<T> {
  const first = await endpoints.read(ask);
  if (findingOf(first) === 'success') return first;
  const found = (answers: readonly T[], finding: Finding) =>
    answers.filter((answer) => findingOf(answer) === finding).length;
  const replies = await endpoints.quorumReplies(ask, {
    graceMs: GRACE_MS,
    isDecided: (answers) => found(answers, 'success') > 0 || found(answers, 'refusal') >= endpoints.quorum,
  });
  const answers = answersOf(replies);
  const refusals = answers.filter((answer) => findingOf(answer) === 'refusal');
  const lacking = replies.filter((reply) => !reply.ok && saysUnknownMethod(reply.error)).length;
  if (refusals.length >= endpoints.quorum) return refusals[0]!;
  const success = answers.find((answer) => findingOf(answer) === 'success');
  if (success !== undefined) return success;
  const said = `${refusals.length} of ${endpoints.quorum} RPC endpoints confirm the failure`;
  if (endpoints.all.length - lacking < endpoints.quorum) throw new TooFewOfferError(said);
  throw new RpcUnavailableError(said);
}

/**
 * Returns the responses that a quorum shares, for decisions where a success needs a quorum too.
 *
 * @throws RpcUnavailableError when no quorum finds the same
 */
export async function foundByQuorum<T>(
  endpoints: EndpointSet,
  ask: Ask<T>,
  findingOf: (answer: T) => Finding,
): Promise<readonly T[]> {
  const having = (answers: readonly T[], finding: Finding) => answers.filter((answer) => findingOf(answer) === finding);
  const foundAmong = (answers: readonly T[]) =>
    [having(answers, 'refusal'), having(answers, 'success')].find(({ length }) => length >= endpoints.quorum);
  const isDecided = (answers: readonly T[]) => foundAmong(answers) !== undefined;
  const answers = answersOf(await endpoints.quorumReplies(ask, { graceMs: GRACE_MS, isDecided }));
  const found = foundAmong(answers);
  if (found) return found;
  const [successes, refusals] = [having(answers, 'success').length, having(answers, 'refusal').length];
  const counts = `${successes} say that it would succeed, ${refusals} that it would fail`;
  throw new RpcUnavailableError(`no quorum of RPC endpoints says what a transaction does: ${counts}`);
}

export class TooFewOfferError extends Error {}

export function saysUnknownMethod(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof RpcAnswerError && cause.code === METHOD_NOT_FOUND);
}
