import { type OpenPool, type PoolReference, readOpenPools } from '../../chain/market/pool-accounts.ts';
import { readReached } from './agreed-slot.ts';
import type { MarketDeps } from './deps.ts';

/** Pools as they stand by one endpoint's word, at slots that the chain has come to: figures of an older slot are never saved. See `readOpenPools`. */
export function readPools(
  { rpc, exchange }: Pick<MarketDeps, 'rpc' | 'exchange'>,
  references: readonly PoolReference[],
): Promise<(OpenPool | null)[]> {
  const read = () => readOpenPools(exchange, rpc.connection, references);
  return readReached(rpc, read, (pools) => pools.flatMap((pool) => pool?.state.slot ?? []));
}
