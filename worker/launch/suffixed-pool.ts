import type { Logger } from 'pino';
import { deriveLaunchAddresses, newestSeed } from '../../chain/keys/launch-keys.ts';
import { type MintSearch, startMintSearch } from '../../chain/keys/start-mint-search.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import type { DerivedAddresses } from '../../db/launch/launch-addresses.ts';
import { pause } from '../../domain/pause.ts';
import type { Shared } from '../shared.ts';

/** Free addresses with the suffix that are kept ready. */
export const SUFFIXED_POOL_TARGET = 200;

const CHECK_EVERY_MS = 1_000;

/** Wait before a failed search starts again, ms. */
const RETRY_MS = 5_000;

export interface SuffixedPoolDeps {
  readonly suffix: string;
  readonly countFree: () => Promise<number>;
  readonly addFree: (row: DerivedAddresses) => Promise<void>;
  readonly derive: (quoteId: string) => DerivedAddresses;
  readonly startSearch: (signal: AbortSignal) => MintSearch;
  readonly logger: Logger;
  readonly target?: number;
  readonly checkEveryMs?: number;
  readonly retryMs?: number;
}

/** Null without LAUNCH_MINT_SUFFIX. */
export function suffixedPoolOf({ db, seeds, context, config, logger }: Shared): SuffixedPoolDeps | null {
  const { mintSuffix: suffix, mintCpuPercent: cpuPercent } = config.launch;
  if (suffix === null) return null;
  const seed = newestSeed(seeds);
  const { genesisHash } = context;
  return {
    suffix,
    countFree: () => launchAddresses.countFree(db, seed.id, suffix),
    addFree: async (row) => void (await launchAddresses.addFree(db, [row], suffix)),
    derive: (quoteId) => {
      return { quoteId, seedId: seed.id, genesisHash, addresses: deriveLaunchAddresses(seed, context, quoteId) };
    },
    startSearch: (signal) => startMintSearch({ secret: seed.secret, context, suffix, cpuPercent }, signal),
    logger,
  };
}

/** Discards free addresses with another suffix: the operator changed it, or none is wanted any more. */
export async function discardOtherSuffixes({ db, config, logger }: Shared): Promise<void> {
  const discarded = await launchAddresses.discardOtherSuffixes(db, config.launch.mintSuffix);
  if (discarded > 0) logger.info({ discarded }, 'removed free launch addresses with another LAUNCH_MINT_SUFFIX');
}

/**
 * Keeps addresses with the suffix ready until `signal`. A launch takes one without the suffix if none is free, so it
 * never waits for this loop.
 */
export async function keepSuffixedPoolFilled(deps: SuffixedPoolDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await using search = deps.startSearch(signal);
      while (!signal.aborted) {
        await fillSuffixedPool(deps, search, signal);
        await pause(deps.checkEveryMs ?? CHECK_EVERY_MS, signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      deps.logger.error({ err: error }, 'the search for mint addresses with the suffix failed');
      await pause(deps.retryMs ?? RETRY_MS, signal);
    }
  }
}

/** Fills the pool once. Counts again after each address: other workers add to the same pool, and launches take. */
export async function fillSuffixedPool(deps: SuffixedPoolDeps, search: MintSearch, signal: AbortSignal): Promise<void> {
  const target = deps.target ?? SUFFIXED_POOL_TARGET;
  while (!signal.aborted && (await deps.countFree()) < target) {
    const row = deps.derive(await search.next());
    const { mint } = row.addresses;
    if (!mint.endsWith(deps.suffix))
      throw new Error(`quote ${row.quoteId} gives mint ${mint}, not one in ${deps.suffix}`);
    await deps.addFree(row);
  }
}
