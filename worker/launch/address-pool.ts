import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { deriveLaunchAddresses, type LaunchSeed } from '../../chain/keys/launch-keys.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import type { LaunchAddresses } from '../../domain/launch/terms.ts';
import { pause } from '../pause.ts';
import type { Shared } from '../shared.ts';

/** Free rows kept ready, so that a burst of prepares never waits for a derivation. */
export const ADDRESS_POOL_TARGET = 200;

/** Rows derived and inserted at once; six key pairs a row take about 1 ms, and the event loop must not stall for long. */
const BATCH_ROWS = 20;

/** Pause between two looks at the pool, in ms. */
const CHECK_EVERY_MS = 1_000;

/** Derived addresses of a launch that nobody has taken yet. */
export interface FreeLaunchAddresses {
  readonly quoteId: string;
  readonly seedId: string;
  readonly addresses: LaunchAddresses;
}

/** What the loop needs: the pool's table, the seed behind `derive`, and a source of new quote ids. */
export interface AddressPoolDeps {
  /** Number of rows of the seed in use that no prepare has taken. */
  readonly countFree: () => Promise<number>;
  /** Inserts rows; a row whose quote id is there already is left as it is. */
  readonly addFree: (rows: readonly FreeLaunchAddresses[]) => Promise<void>;
  readonly derive: (quoteId: string) => FreeLaunchAddresses;
  readonly newQuoteId: () => string;
  readonly logger: Logger;
  readonly target?: number;
  readonly checkEveryMs?: number;
}

/** The pool of the newest seed, from which new launches derive; the other seeds only finish what they began. */
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

/** The seed that new launches derive from. */
export function newestSeed([newest]: readonly LaunchSeed[]): LaunchSeed {
  if (newest === undefined) throw new Error('LAUNCH_SEEDS names no seed');
  return newest;
}

/** Removes free addresses of seeds that this worker does not hold: a launch on them could not be signed. */
export async function discardForeignAddresses({ db, seeds, logger }: Shared): Promise<void> {
  const discarded = await launchAddresses.discardFree(
    db,
    seeds.map(({ id }) => id),
  );
  if (discarded > 0) logger.warn({ discarded }, 'removed free launch addresses of seeds that LAUNCH_SEEDS lacks');
}

/**
 * Keeps the table of derived launch addresses filled until `signal` fires. Only the worker holds the launch seed; the API
 * takes a row and needs no secret. A failed round is logged and tried again at the next look: prepares live on what is left.
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

/** Tops the pool up to its target once. Returns the number of rows added. */
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
