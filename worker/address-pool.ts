import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LaunchAddresses } from '../domain/launch/terms.ts';

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

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
