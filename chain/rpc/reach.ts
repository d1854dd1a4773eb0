import { RpcAnswerError, type RpcEndpoint } from './json-rpc.ts';
import { SlotShape } from './shapes.ts';

export class NoTestimonyError extends Error {
  override readonly name = 'NoTestimonyError';
}

/**
 * Passes if the endpoint has blocks from this slot on.
 *
 * @throws NoTestimonyError, RpcAnswerError, RpcUnavailableError
 */
export async function assertReachesBack(endpoint: RpcEndpoint, slot: number): Promise<void> {
  const first = await endpoint.call('getFirstAvailableBlock', [], SlotShape).catch((error: unknown) => {
    if (!(error instanceof RpcAnswerError)) throw error;
    return endpoint.call('minimumLedgerSlot', [], SlotShape);
  });
  if (first > slot) throw new NoTestimonyError(`history of ${endpoint.name} begins at slot ${first}, after ${slot}`);
}
