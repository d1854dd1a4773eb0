import type { EndpointSet } from './endpoints.ts';
import { askHistory, type HistoryEntry } from './history.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import { assertReachesBack } from './reach.ts';

/** Finalized slots from one to another, both included. */
export interface SlotSpan {
  readonly sinceSlot: number;
  /** A slot that was finalized when it was read. */
  readonly untilSlot: number;
}

/**
 * An address's finalized transactions in a span, newest first, united from every endpoint that has the whole span.
 * @throws RpcUnavailableError when fewer than a quorum have it.
 */
export async function completeHistory(
  endpoints: EndpointSet,
  address: string,
  span: SlotSpan,
): Promise<HistoryEntry[]> {
  const replies = await endpoints.everyReply((endpoint) => spanOf(endpoint, address, span));
  const histories = replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
  if (histories.length < endpoints.quorum) {
    const reasons = replies.flatMap((reply) => (reply.ok ? [] : [String(reply.error)]));
    throw new RpcUnavailableError(
      `${histories.length} of ${endpoints.quorum} endpoints have the whole history of ${address}: ${reasons.join('; ')}`,
    );
  }
  const united = new Map(histories.flat().map((entry) => [entry.signature, entry]));
  return [...united.values()].toSorted((a, b) => b.slot - a.slot);
}

async function spanOf(
  endpoint: RpcEndpoint,
  address: string,
  { sinceSlot, untilSlot }: SlotSpan,
): Promise<HistoryEntry[]> {
  const entries = await askHistory(endpoint, address, { afterSlot: sinceSlot - 1, minContextSlot: untilSlot });
  // Read last: history only ever gets shorter, so what reaches back now reached back for the answer above.
  await assertReachesBack(endpoint, sinceSlot);
  return entries.filter(({ slot }) => slot <= untilSlot);
}
