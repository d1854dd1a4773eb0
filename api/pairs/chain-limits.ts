import { PublicKey } from '@solana/web3.js';
import { createCache } from 'async-cache-dedupe';
import { lackingIn, pairEntries } from '../../chain/launch/table-contents.ts';
import { readQuoteMints } from '../../chain/tokens/quote-mint-state.ts';
import type { PairRecord } from '../../db/pairs.ts';
import { within } from '../../domain/within.ts';
import type { ApiDeps } from '../deps.ts';

/** A limit says what the chain leaves of a listed pair. */
export interface ChainLimit {
  readonly launches: boolean;
  readonly devBuys: boolean;
}

/** Says of each pair by its mint what the chain leaves of it; without those that it is not known of. */
export type ReadChainLimits = (pairs: readonly PairRecord[]) => Promise<ReadonlyMap<string, ChainLimit>>;

/** Seconds for which an answer holds, and for which nothing is asked after a failure. */
const [KNOWN_SECONDS, FAILED_SECONDS] = [60, 5];

/** Longest that a list of pairs waits for the chain, ms. */
const WAIT_MS = 1_000;

/** Reads what prepare would refuse: mints that are no quote tokens any more, and dev buys of taxed or untabled ones. */
export function createChainLimits({ launching, config, logger }: ApiDeps): ReadChainLimits {
  const cache = createCache({ storage: { type: 'memory', options: { size: 1 } } });
  const { limits } = cache.define(
    'limits',
    { ttl: (known) => (known === null ? FAILED_SECONDS : KNOWN_SECONDS), serialize: mintsOf },
    async (pairs: readonly PairRecord[]) => {
      try {
        return await within(WAIT_MS, readLimits({ launching, config }, pairs));
      } catch (error) {
        logger.warn({ err: error }, 'the chain does not tell which pairs can be launched with');
        return null;
      }
    },
  );
  return async (pairs) => (await limits(pairs)) ?? new Map();
}

function mintsOf(pairs: readonly PairRecord[]): string[] {
  return pairs.map(({ mint }) => mint);
}

async function readLimits(
  { launching, config }: Pick<ApiDeps, 'launching' | 'config'>,
  pairs: readonly PairRecord[],
): Promise<ReadonlyMap<string, ChainLimit>> {
  const { exchange, lookupTables, rpc } = launching;
  const treasury = config.treasuryAddress === undefined ? undefined : new PublicKey(config.treasuryAddress);
  const needsTable = exchange.lookupAddresses.length > 0;
  const [states, tables] = await Promise.all([
    readQuoteMints(
      rpc.connection,
      pairs.map(({ mint }) => new PublicKey(mint)),
    ),
    needsTable ? lookupTables() : [],
  ]);
  const isTabled = (pair: PairRecord) => !needsTable || lackingIn(tables, pairEntries(pair, treasury)).length === 0;
  return new Map(
    pairs.map((pair, index) => {
      const { refusal = null, taxBps = 0 } = states[index] ?? {};
      const launches = refusal === null;
      return [pair.mint, { launches, devBuys: launches && taxBps === 0 && isTabled(pair) }];
    }),
  );
}
