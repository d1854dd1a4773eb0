import type { Rpc } from './rpc.ts';

/**
 * Returns the remaining blocks, negative once expired. One endpoint suffices to confirm that `needed` remain; fewer
 * need a quorum.
 *
 * @throws RpcUnavailableError without it
 */
export async function blocksLeft(
  rpc: Pick<Rpc, 'head' | 'agreedHead'>,
  lastValidBlockHeight: number,
  needed: number,
): Promise<number> {
  const hint = lastValidBlockHeight - (await rpc.head('confirmed')).blockHeight;
  return hint >= needed ? hint : lastValidBlockHeight - (await rpc.agreedHead('confirmed')).blockHeight;
}
