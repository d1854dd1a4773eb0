import type { Rpc } from './rpc.ts';

/**
 * For how many blocks a blockhash is still good, negative once it is not. Any endpoint's word is enough that `needed` of them are left;
 * that there are fewer is a quorum's.
 * @throws RpcUnavailableError when no endpoint answered, or no quorum where one is needed.
 */
export async function blocksLeft(
  rpc: Pick<Rpc, 'head' | 'agreedHead'>,
  lastValidBlockHeight: number,
  needed: number,
): Promise<number> {
  const hint = lastValidBlockHeight - (await rpc.head('confirmed')).blockHeight;
  return hint >= needed ? hint : lastValidBlockHeight - (await rpc.agreedHead('confirmed')).blockHeight;
}
