/**
 * The one place that proves "this never happened". A node without an archive returns an empty list or null for what it
 * no longer stores. So absence needs a quorum whose history reaches back to a stated slot; anything less throws.
 */

import { batchesOf } from '../../domain/batches.ts';
import { errorText } from '../../domain/error-text.ts';
import { agreedTransaction } from './agreed.ts';
import type { EndpointSet, Reply } from './endpoints.ts';
import { askHistory, type HistoryEntry, uniteHistories } from './history.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import { assertReachesBack, NoTestimonyError } from './reach.ts';
import { askStatuses, STATUS_BATCH } from './statuses.ts';
import { askTransaction, type LandedTransaction } from './transactions.ts';

/**
 * Absence cannot be proven. `isForgotten`: so many endpoints lost the blocks that only one with a longer history helps,
 * not waiting.
 */
export class UnknownError extends RpcUnavailableError {
  readonly isForgotten: boolean;

  constructor(message: string, isForgotten: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnknownError';
    this.isForgotten = isForgotten;
  }
}

/** Slots that an endpoint must have whole to prove absence. */
export interface Span {
  /** Begin of the history, at the latest. */
  readonly sinceSlot: number;
  /** Must be reached: the last slot at which it could happen. */
  readonly asOfSlot: number;
}

export interface WholeRange extends Span {
  readonly commitment?: 'confirmed' | 'finalized';
  /** Default 10,000. */
  readonly limit?: number;
  /** Filters each endpoint's entries before they are united, so that no endpoint hides one by marking it failed. */
  readonly isWanted?: (entry: HistoryEntry) => boolean;
}

const GRACE_MS = 2_000;

/**
 * Transactions that mention an address (base58) since a slot, newest first, united from every endpoint with the whole
 * span. Any other did not happen.
 *
 * @throws UnknownError when fewer than a quorum have the span; it `saysTooLong` beyond the limit
 */
export async function wholeHistory(
  endpoints: EndpointSet,
  address: string,
  { sinceSlot, asOfSlot, commitment = 'finalized', limit, isWanted = () => true }: WholeRange,
): Promise<HistoryEntry[]> {
  const range = { commitment, afterSlot: sinceSlot - 1, minContextSlot: asOfSlot, ...(limit && { limit }) };
  const replies = await endpoints.everyReply(async (endpoint) => {
    const entries = await askHistory(endpoint, address, range);
    // Asked last: history only gets shorter, so a node that reaches back now did so above.
    await assertReachesBack(endpoint, sinceSlot);
    return entries.filter(isWanted);
  });
  const histories = valuesOf(replies);
  if (histories.length >= endpoints.quorum) return uniteHistories(histories);
  throw unknown(endpoints, `what happened to ${address} since slot ${sinceSlot}`, {
    count: histories.length,
    errors: replies.flatMap((reply) => (reply.ok ? [] : [reply.error])),
  });
}

/** `absent`: by a quorum. `seen`: by at least one endpoint. */
export type Presence = 'absent' | 'seen';

/** @throws UnknownError when a signature is seen by no endpoint and denied by no quorum */
export async function presenceSince(
  endpoints: EndpointSet,
  signatures: readonly string[],
  span: Span,
): Promise<ReadonlyMap<string, Presence>> {
  const presence = new Map<string, Presence>();
  for (const batch of batchesOf(signatures, STATUS_BATCH)) {
    const denialsOf = (said: readonly Sight[], index: number) =>
      said.filter(({ inBlock, silence }) => !inBlock[index] && silence === null).length;
    const sightsOf = (said: readonly Sight[], index: number) => said.filter(({ inBlock }) => inBlock[index]).length;
    const replies = await endpoints.quorumReplies((endpoint) => sightOf(endpoint, batch, span), {
      graceMs: GRACE_MS,
      isDecided: (said) =>
        batch.every((_, index) => Math.max(denialsOf(said, index), sightsOf(said, index)) >= endpoints.quorum),
    });
    const said = valuesOf(replies);
    batch.forEach((signature, index) => {
      if (denialsOf(said, index) >= endpoints.quorum) presence.set(signature, 'absent');
      else if (sightsOf(said, index) > 0) presence.set(signature, 'seen');
      else throw undecided(endpoints, signature, span, replies);
    });
  }
  return presence;
}

/**
 * A transaction that a quorum has at `confirmed`; null if proven absent.
 *
 * @throws UnknownError when neither
 */
export async function landedSince(
  endpoints: EndpointSet,
  signature: string,
  span: Span,
): Promise<LandedTransaction | null> {
  return (await agreedTransaction(endpoints, signature, 'confirmed')) ?? absentOrThrow(endpoints, signature, span);
}

/** Like `landedSince`, but trusts any endpoint: only for callers that treat the result as "may have landed". */
export async function anyLandedSince(
  endpoints: EndpointSet,
  signature: string,
  span: Span,
): Promise<LandedTransaction | null> {
  const replies = await endpoints.everyReply((endpoint) => askTransaction(endpoint, signature, 'confirmed'));
  const found = valuesOf(replies).find((transaction) => transaction !== null);
  return found ?? absentOrThrow(endpoints, signature, span);
}

async function absentOrThrow(endpoints: EndpointSet, signature: string, span: Span): Promise<null> {
  const presence = await presenceSince(endpoints, [signature], span);
  if (presence.get(signature) === 'absent') return null;
  throw new UnknownError(`no quorum of RPC endpoints says the same of ${signature}`, false);
}

function valuesOf<T>(replies: readonly Reply<T>[]): T[] {
  return replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
}

/** `silence`: why the endpoint cannot deny the other signatures, or null. */
interface Sight {
  readonly inBlock: readonly boolean[];
  readonly silence: unknown;
}

async function sightOf(endpoint: RpcEndpoint, signatures: readonly string[], span: Span): Promise<Sight> {
  const { sinceSlot, asOfSlot } = span;
  const { slot, statuses } = await askStatuses(endpoint, signatures);
  // A transaction without votes is in no block.
  const inBlock = statuses.map((status) => (status?.commitment ?? 'processed') !== 'processed');
  if (inBlock.every(Boolean)) return { inBlock, silence: null };
  if (slot < asOfSlot) {
    return { inBlock, silence: new RpcUnavailableError(`${endpoint.name} is at slot ${slot}, before ${asOfSlot}`) };
  }
  const silence = await assertReachesBack(endpoint, sinceSlot).then(
    () => null,
    (error: unknown) => error,
  );
  return { inBlock, silence };
}

function undecided(endpoints: EndpointSet, signature: string, span: Span, replies: readonly Reply<Sight>[]): Error {
  const silences = replies.map((reply) => (reply.ok ? reply.value.silence : reply.error));
  const errors = silences.filter((error) => error !== null);
  const what = `whether ${signature} landed since slot ${span.sinceSlot}`;
  return unknown(endpoints, what, { count: silences.length - errors.length, errors });
}

function unknown(
  { all, quorum }: EndpointSet,
  what: string,
  { count, errors }: { readonly count: number; readonly errors: readonly unknown[] },
): UnknownError {
  const forgetful = errors.filter((error) => error instanceof NoTestimonyError).length;
  const reasons = errors.map(errorText).join('; ');
  const message = `${count} of ${quorum} RPC endpoints say ${what}${reasons && `: ${reasons}`}`;
  return new UnknownError(message, all.length - forgetful < quorum, { cause: new AggregateError(errors) });
}
