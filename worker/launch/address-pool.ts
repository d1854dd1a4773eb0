import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { deriveLaunchAddresses, newestSeed } from '../../chain/keys/launch-keys.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import type { LaunchAddresses } from '../../domain/launch/terms.ts';
import { pause } from '../../domain/pause.ts';
import type { Shared } from '../shared.ts';

/** Free addresses kept ready: a burst of prepares never waits for a derivation. */
export const ADDRESS_POOL_TARGET = 200;

/** Rows per batch: six key pairs a row take 1 ms; the event loop must not stall. */
const BATCH_ROWS = 20;

const CHECK_EVERY_MS = 1_000;

export interface FreeLaunchAddresses {
  readonly quoteId: string;
  readonly seedId: string;
  readonly addresses: LaunchAddresses;
}

export interface AddressPoolDeps {
  readonly countFree: () => Promise<number>;
  /** Existing ids stay. */
  readonly addFree: (rows: readonly FreeLaunchAddresses[]) => Promise<void>;
  readonly derive: (quoteId: string) => FreeLaunchAddresses;
  readonly newQuoteId: () => string;
  readonly logger: Logger;
  readonly target?: number;
  readonly checkEveryMs?: number;
}

/** Derives addresses of the newest seed; older ones only finish their launches. */
export function addressPoolOf({ db, seeds, context, logger }: Shared): AddressPoolDeps {
  const { genesisHash } = context;
  const seed = newestSeed(seeds);
  return {
    countFree: () => launchAddresses.countFree(db, seed.id),
    addFree: async (rows) =>
      void (await launchAddresses.addFree(
        db,
        rows.map((row) => ({ ...row, genesisHash })),
      )),
    derive: (quoteId) => ({ quoteId, seedId: seed.id, addresses: deriveLaunchAddresses(seed, context, quoteId) }),
    newQuoteId: randomUUID,
    logger,
  };
}

/** Discards free addresses of seeds that this worker lacks: it could not sign for them. */
export async function discardForeignAddresses({ db, seeds, logger }: Shared): Promise<void> {
  const discarded = await launchAddresses.discardFree(
    db,
    seeds.map(({ id }) => id),
  );
  if (discarded > 0) logger.warn({ discarded }, 'removed free launch addresses of seeds that LAUNCH_SEEDS lacks');
}

/**
 * Keeps the pool filled until `signal`. Only the worker holds the seed; the API takes a row. A failed round is
 * retried; prepares use the rest.
 */
export async function keepAddressPoolFilled(deps: AddressPoolDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await fillAddressPool(deps, signal);
    } catch (error) {
      deps.logger.error({ err: error }, 'filling the pool of launch addresses failed');
    }
    await pause(deps.checkEveryMs ?? CHECK_EVERY_MS, signal);
  }
}

export async function fillAddressPool(deps: AddressPoolDeps, signal: AbortSignal): Promise<number> {
  const missing = (deps.target ?? ADDRESS_POOL_TARGET) - (await deps.countFree());
  let added = 0;
  while (added < missing && !signal.aborted) {
    const size = Math.min(BATCH_ROWS, missing - added);
    await deps.addFree(Array.from({ length: size }, () => deps.derive(deps.newQuoteId())));
    added += size;
    await nextTurn();
  }
  if (added > 0) deps.logger.debug({ added }, 'launch addresses derived');
  return added;
}
