import { RpcAnswerError, type RpcEndpoint } from './json-rpc.ts';
import { SlotShape } from './shapes.ts';

/** An endpoint that answers, but whose answer cannot prove anything. */
export class NoTestimonyError extends Error {
  override readonly name = 'NoTestimonyError';
}

/**
 * Passes when the endpoint has the blocks from a slot on.
 * @throws NoTestimonyError when its history begins later; RpcAnswerError, RpcUnavailableError.
 */
export async function assertReachesBack(endpoint: RpcEndpoint, slot: number): Promise<void> {
  const first = await endpoint.call('getFirstAvailableBlock', [], SlotShape).catch((error: unknown) => {
    if (!(error instanceof RpcAnswerError)) throw error;
    return endpoint.call('minimumLedgerSlot', [], SlotShape);
  });
  if (first > slot) throw new NoTestimonyError(`history of ${endpoint.name} begins at slot ${first}, after ${slot}`);
}
