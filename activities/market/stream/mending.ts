import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import { createAgreedSlot } from '../agreed-slot.ts';
import { settlePool } from '../settle.ts';
import { saveByRpc } from './chain-figures.ts';
import { type FollowedPool, vaultOf } from './followed-pools.ts';
import { type Following, POOLS_AT_ONCE } from './following.ts';
import type { Intake } from './intake.ts';
import { readHistory, readVaults } from './pool-history.ts';

/** Pools whose histories are read before others have their turn. */
const POOLS_A_TURN = 200;
/** A history that did not help is read again after this time, doubled each time, ms. */
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 30_000;

/** Reads the histories of pools that are doubted, by RPC. */
export class Mending {
  readonly #following: Following;
  readonly #intake: Intake;

  constructor(following: Following, intake: Intake) {
    this.#following = following;
    this.#intake = intake;
  }

  async mend(): Promise<void> {
    const { deps, doubts } = this.#following;
    const now = performance.now();
    const turn = doubts
      .doubted()
      .filter(({ nextAttempt }) => nextAttempt <= now)
      .slice(0, POOLS_A_TURN);
    await inParallel(POOLS_AT_ONCE, turn, async (pool) => {
      deps.heartbeat();
      try {
        await this.#mendOne(pool);
      } catch (error) {
        deps.logger.warn({ err: error, pool: pool.cursor.pool }, 'the history of a pool could not be read');
        deps.meters.poolFailed();
      }
    });
  }

  async #mendOne(pool: FollowedPool): Promise<void> {
    const { deps, doubts, reach } = this.#following;
    const { pool: address } = pool.cursor;
    const attempt = pool.attempts++;
    pool.nextAttempt = performance.now() + Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
    const upTo = doubts.upToOf(address);
    const wish = { united: attempt > 0, minContextSlot: upTo };
    const found = attempt < 2 && reach.isTelling ? await readHistory(deps, pool, wish) : null;
    if (found === null || found.isTooLong) return this.#settleByRpc(pool);
    deps.meters.filled(found.steps.length);
    this.#intake.add(pool, found.steps);
    if (pool.tail.loose.length > 0) return;
    // What it holds in the end is compared when it is settled.
    if (doubts.upToOf(address) === upTo) doubts.trust(address);
    pool.changedSlot ??= pool.tail.start.slot;
  }

  /** As without a stream: proven piece by piece, and with a note of what is missing. */
  async #settleByRpc(pool: FollowedPool): Promise<void> {
    const { deps, pools, doubts, prices } = this.#following;
    await pools.ensureSupplies([pool]);
    const agreed = createAgreedSlot(deps.rpc);
    const read = (await readVaults(deps, [vaultOf(pool)])).get(pool.cursor.pool);
    if (!read || read.slot <= pool.tail.start.slot) return;
    const vault = { ...read, agreedSlot: await agreed(read.slot) };
    const open = { market: pool.market, supplyRaw: pools.supplyOf(pool) };
    prices.want([pool.cursor.quoteMint]);
    await settlePool(deps, { cursor: pool.cursor, open, prices: prices.now }, vault);
    await pools.reload(pool);
    pool.isDirty = true;
    const upTo = doubts.upToOf(pool.cursor.pool);
    if (pool.cursor.gap !== null || pool.tail.loose.length > 0 || vault.slot < upTo) return;
    doubts.trust(pool.cursor.pool);
    pool.attempts = 0;
    await saveByRpc(this.#following, pool, 0);
  }
}
