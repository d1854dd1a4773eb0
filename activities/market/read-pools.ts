import { type OpenPool, type PoolReference, readOpenPools } from '../../chain/market/pool-accounts.ts';
import { readReached } from './agreed-slot.ts';
import type { MarketDeps } from './deps.ts';

/** Reads pools from one endpoint, at reached slots: an invented slot would block later figures. */
export function readPools(
  { rpc, exchange }: Pick<MarketDeps, 'rpc' | 'exchange'>,
  references: readonly PoolReference[],
): Promise<(OpenPool | null)[]> {
  const read = () => readOpenPools(exchange, rpc.connection, references);
  return readReached(rpc, read, (pools) => pools.flatMap((pool) => pool?.state.slot ?? []));
}
