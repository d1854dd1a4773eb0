import { blockTimeOf } from '../../../domain/block-time.ts';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import type { FollowedPool, PoolStep } from './followed-pools.ts';
import { type FollowState, POOLS_AT_ONCE } from './follow-state.ts';
import { readMissed, stepOf } from './pool-history.ts';
import type { MissingTransaction, ReceivedTransaction } from './stream-buffer.ts';

export class Intake {
  readonly #state: FollowState;

  constructor(state: FollowState) {
    this.#state = state;
  }

  async takeIn(): Promise<boolean> {
    await this.#readTimes();
    await this.#requireLost();
    const heard = this.#state.buffer.takeReady();
    await this.#take(heard);
    return heard.length > 0;
  }

  add(pool: FollowedPool, steps: readonly PoolStep[]): void {
    if (steps.length === 0) return;
    pool.tail.add(steps);
    pool.isDirty = true;
    pool.changedSlot = steps.reduce((newest, { slot }) => Math.max(newest, slot), pool.changedSlot ?? 0);
    this.#state.rereads.noteLinks(pool);
  }

  async readMissed(): Promise<void> {
    const { buffer, pools, rereads } = this.#state;
    const missed = buffer.takeMissed();
    await pools.load([...new Set(missed.map(({ pool }) => pool))]);
    const found = await inParallel(POOLS_AT_ONCE, missed, async (missing) => {
      const pool = pools.get(missing.pool);
      return pool === undefined || (await this.#readOne(pool, missing));
    });
    for (const { pool, slot } of missed.filter((_, index) => found[index] !== true)) {
      await rereads.requireChanged([pool], slot);
    }
  }

  /**
   * Queues pools to be read again: those whose blocks never arrived, and new ones that may have traded before the
   * subscription.
   */
  async #requireLost(): Promise<void> {
    const { buffer, rereads } = this.#state;
    for (const [pool, slot] of buffer.takeLost()) await rereads.requireChanged([pool], slot);
    await rereads.requireDue(buffer.tip);
  }

  async #readTimes(): Promise<void> {
    const { deps, buffer } = this.#state;
    for (const slot of buffer.untimed()) {
      try {
        const blockTime = blockTimeOf(await deps.rpc.connection.getBlockTime(slot));
        if (blockTime !== null) buffer.noteTime(slot, blockTime);
      } catch (error) {
        deps.logger.warn({ err: error, slot }, 'the time of a block could not be read');
      }
    }
  }

  async #take(heard: readonly ReceivedTransaction[]): Promise<void> {
    const { pools } = this.#state;
    await pools.load([...new Set(heard.flatMap((transaction) => transaction.pools))]);
    const steps = new Map<FollowedPool, PoolStep[]>();
    for (const transaction of heard) {
      for (const address of transaction.pools) {
        const pool = pools.get(address);
        const step = pool && this.#read(pool, transaction);
        if (step) steps.set(pool, [...(steps.get(pool) ?? []), step]);
      }
    }
    for (const [pool, found] of steps) this.add(pool, found);
  }

  #read(pool: FollowedPool, transaction: ReceivedTransaction): PoolStep | null {
    const { deps } = this.#state;
    try {
      return stepOf(deps, pool, transaction);
    } catch (error) {
      // The history then has a gap, which is recorded.
      const { signature } = transaction.event;
      deps.logger.warn({ err: error, pool: pool.cursor.pool, signature }, 'a transaction could not be read');
      deps.meters.poolFailed();
      return null;
    }
  }

  async #readOne(pool: FollowedPool, missing: MissingTransaction): Promise<boolean> {
    const { deps } = this.#state;
    if (missing.slot <= pool.tail.start.slot || pool.tail.has(missing.signature)) return true;
    try {
      const step = await readMissed(deps, pool, missing);
      if (!step) return false;
      deps.meters.filled(1);
      this.add(pool, [step]);
      return true;
    } catch (error) {
      deps.logger.warn({ err: error, ...missing }, 'a transaction that was not received could not be read');
      return false;
    }
  }
}
