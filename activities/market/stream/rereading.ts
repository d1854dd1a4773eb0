import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import { createAgreedSlot } from '../agreed-slot.ts';
import { settlePool } from '../settle.ts';
import { saveByRpc } from './chain-figures.ts';
import { type FollowedPool, vaultOf } from './followed-pools.ts';
import { type FollowState, POOLS_AT_ONCE } from './follow-state.ts';
import type { Intake } from './intake.ts';
import { readHistory, readVaults } from './pool-history.ts';

/** Pools per turn, after which other work runs. */
const POOLS_A_TURN = 200;
/** First pause, doubled after each failure, ms. */
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 30_000;

export class Rereading {
  readonly #state: FollowState;
  readonly #intake: Intake;

  constructor(state: FollowState, intake: Intake) {
    this.#state = state;
    this.#intake = intake;
  }

  async rereadDue(): Promise<void> {
    const { deps, rereads } = this.#state;
    const now = performance.now();
    const turn = rereads
      .due()
      .filter(({ nextAttempt }) => nextAttempt <= now)
      .slice(0, POOLS_A_TURN);
    await inParallel(POOLS_AT_ONCE, turn, async (pool) => {
      deps.heartbeat();
      try {
        await this.#reread(pool);
      } catch (error) {
        deps.logger.warn({ err: error, pool: pool.cursor.pool }, 'the history of a pool could not be read');
        deps.meters.poolFailed();
      }
    });
  }

  async #reread(pool: FollowedPool): Promise<void> {
    const { deps, rereads, finality } = this.#state;
    const { pool: address } = pool.cursor;
    const attempt = pool.attempts++;
    pool.nextAttempt = performance.now() + Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
    const upTo = rereads.requiredSlotOf(address);
    const wish = { united: attempt > 0, minContextSlot: upTo };
    const found = attempt < 2 && finality.isStreamLive ? await readHistory(deps, pool, wish) : null;
    if (found === null || found.isTooLong) return this.#settleByRpc(pool);
    deps.meters.filled(found.steps.length);
    this.#intake.add(pool, found.steps);
    if (pool.tail.loose.length > 0) return;
    // Enough for now: settlement compares the final vault balance.
    if (rereads.requiredSlotOf(address) === upTo) rereads.done(address);
    pool.changedSlot ??= pool.tail.start.slot;
  }

  /** Settles a pool by RPC in proven chunks; records a remaining gap. */
  async #settleByRpc(pool: FollowedPool): Promise<void> {
    const { deps, pools, rereads, prices } = this.#state;
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
    const upTo = rereads.requiredSlotOf(pool.cursor.pool);
    if (pool.cursor.gap !== null || pool.tail.loose.length > 0 || vault.slot < upTo) return;
    rereads.done(pool.cursor.pool);
    pool.attempts = 0;
    await saveByRpc(this.#state, pool, 0);
  }
}
