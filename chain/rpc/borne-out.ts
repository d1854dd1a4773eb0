import { isCausedBy } from './caused-by.ts';
import { answersOf, type Ask, type EndpointSet } from './endpoints.ts';
import { RpcAnswerError, RpcUnavailableError } from './json-rpc.ts';

const METHOD_NOT_FOUND = -32_601;

/** How long the others are waited for once one endpoint has answered, in ms: a refusal needs a second one. */
const GRACE_MS = 2_000;

/** What an answer says; `nothing` where the endpoint cannot know, because it lags or what it was asked about has expired. */
export type Finding = 'success' | 'refusal' | 'nothing';

/**
 * The first answer, or where that is no success what a quorum of those says that can be asked: one endpoint that lags, or lies, ends
 * nothing.
 * @throws RpcUnavailableError when no endpoint answers, or too few of those that would have to bear a refusal out.
 */
export async function borneOut<T>(endpoints: EndpointSet, ask: Ask<T>, findingOf: (answer: T) => Finding): Promise<T> {
  const first = await endpoints.read(ask);
  if (findingOf(first) === 'success') return first;
  const replies = await endpoints.promptReplies(ask, GRACE_MS);
  const answers = answersOf(replies);
  const refusals = answers.filter((answer) => findingOf(answer) === 'refusal');
  const lacking = replies.filter((reply) => !reply.ok && saysUnknownMethod(reply.error)).length;
  if (refusals.length >= endpoints.quorum) return refusals[0]!;
  const success = answers.find((answer) => findingOf(answer) === 'success');
  if (success !== undefined) return success;
  const said = `${refusals.length} of ${endpoints.quorum} RPC endpoints bear out what would fail`;
  if (endpoints.all.length - lacking < endpoints.quorum) throw new TooFewOfferError(said);
  throw new RpcUnavailableError(said);
}

/** So many endpoints do not know a method that those that do are no quorum. */
export class TooFewOfferError extends Error {}

/** True where an endpoint answered that it does not know the method. */
export function saysUnknownMethod(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof RpcAnswerError && cause.code === METHOD_NOT_FOUND);
}
