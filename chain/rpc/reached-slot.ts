import { answersOf, type EndpointSet } from './endpoints.ts';
import { reachedBy, SLACK } from './head.ts';
import { RpcUnavailableError } from './json-rpc.ts';
import { EpochInfoShape } from './shapes.ts';
import type { Commitment } from './statuses.ts';

/** How long the others are waited for once one endpoint has answered, in ms. */
const GRACE_MS = 2_000;

/** One endpoint named a slot that the chain has not come to. */
export class SlotBeyondError extends RpcUnavailableError {
  constructor(slot: number, reached: number) {
    super(`one RPC endpoint is at slot ${slot}, the others at ${reached}`);
    this.name = 'SlotBeyondError';
  }
}

/**
 * How far the chain has come: by a quorum's word, or where fewer answer by the least of what they name. Nothing beyond it is to be
 * noted, because no later reading would ever come as far.
 * @throws RpcUnavailableError when no endpoint answers, or a quorum does and is not near one another.
 */
export async function reachedSlot(endpoints: EndpointSet, commitment: Commitment): Promise<number> {
  const ask = [{ commitment }];
  const replies = await endpoints.promptReplies(
    (endpoint) => endpoint.call('getEpochInfo', ask, EpochInfoShape),
    GRACE_MS,
  );
  const slots = answersOf(replies).map(({ absoluteSlot }) => absoluteSlot);
  return slots.length < endpoints.quorum ? Math.min(...slots) : reachedBy(endpoints, 'slot', slots);
}

/**
 * Tells whether the chain has come to slots that one endpoint named, but for a minute that it may be ahead. It is asked how far that
 * is where a slot is further than what was known, at most. Everything passes where one endpoint's word is all there is.
 */
export function createSlotCheck(endpoints: EndpointSet): (slot: number) => Promise<void> {
  let known = Number.NEGATIVE_INFINITY;
  return async (slot) => {
    if (endpoints.quorum === 1 || slot <= known + SLACK) return;
    const reached = await reachedSlot(endpoints, 'confirmed');
    known = Math.max(known, reached);
    if (slot > reached + SLACK) throw new SlotBeyondError(slot, reached);
  };
}
