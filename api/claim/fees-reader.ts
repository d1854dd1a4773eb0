import { createCache } from 'async-cache-dedupe';
import {
  type PositionAddresses,
  type PositionChain,
  type PositionFees,
  readPositionFees,
} from '../../chain/exchange/position-fees.ts';
import type { ApiConfig } from '../../config/api.ts';

export type FeesReader = (position: PositionAddresses) => Promise<PositionFees>;

interface FeesSource {
  readonly launching: PositionChain;
  readonly config: Pick<ApiConfig, 'claimableSeconds'>;
}

const POSITIONS = 2_000;

/**
 * Caches fees by mint for `claimableSeconds`: one for all endpoints, so that reads of the chain grow with time and
 * positions, not with requests. A failed read is not cached. Never issue a claim on these: they may be old.
 */
export function createFeesReader({ launching, config }: FeesSource): FeesReader {
  const cache = createCache({
    ttl: config.claimableSeconds,
    storage: { type: 'memory', options: { size: POSITIONS } },
  }).define(
    'fees',
    { serialize: ({ mint }: PositionAddresses) => mint.toBase58() },
    (position: PositionAddresses): Promise<PositionFees> => readPositionFees(launching, position),
  );
  return (position) => cache.fees(position);
}
