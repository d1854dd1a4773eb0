import { blockTimeOf } from '../../../domain/block-time.ts';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import type { FollowedPool, PoolStep } from './followed-pools.ts';
import { type Following, POOLS_AT_ONCE } from './following.ts';
import { readMissed, stepOf } from './pool-history.ts';
import type { HeardTransaction, MissingTransaction } from './stream-ear.ts';

/** Takes what the stream told of into the tails of the pools that it touched. */
export class Intake {
  readonly #following: Following;

  constructor(following: Following) {
    this.#following = following;
  }

  /** Takes in all that can be. Answers whether there was something. */
  async takeIn(): Promise<boolean> {
    await this.#readTimes();
    await this.#doubtLost();
    const heard = this.#following.ear.takeReady();
    await this.#take(heard);
    return heard.length > 0;
  }

  /** Takes steps in that were read. */
  add(pool: FollowedPool, steps: readonly PoolStep[]): void {
    if (steps.length === 0) return;
    pool.tail.add(steps);
    pool.isDirty = true;
    pool.changedSlot = steps.reduce((newest, { slot }) => Math.max(newest, slot), pool.changedSlot ?? 0);
    this.#following.doubts.noteLinks(pool);
  }

  /** Reads transactions that wrote a pool's account and were not told of, one by one. */
  async readMissed(): Promise<void> {
    const { ear, pools, doubts } = this.#following;
    const missed = ear.takeMissed();
    await pools.load([...new Set(missed.map(({ pool }) => pool))]);
    const found = await inParallel(POOLS_AT_ONCE, missed, async (missing) => {
      const pool = pools.get(missing.pool);
      return pool === undefined || (await this.#readOne(pool, missing));
    });
    for (const { pool, slot } of missed.filter((_, index) => found[index] !== true)) {
      await doubts.distrust([pool], slot);
    }
  }

  /** Pools of transactions whose blocks nobody told of, and those that may have traded before they were told of. */
  async #doubtLost(): Promise<void> {
    const { ear, doubts } = this.#following;
    for (const [pool, slot] of ear.takeLost()) await doubts.distrust([pool], slot);
    await doubts.doubtDue(ear.tip);
  }

  /** Times of blocks that were not told of. */
  async #readTimes(): Promise<void> {
    const { deps, ear } = this.#following;
    for (const slot of ear.untimed()) {
      try {
        const blockTime = blockTimeOf(await deps.rpc.connection.getBlockTime(slot));
        if (blockTime !== null) ear.noteTime(slot, blockTime);
      } catch (error) {
        deps.logger.warn({ err: error, slot }, 'the time of a block could not be read');
      }
    }
  }

  async #take(heard: readonly HeardTransaction[]): Promise<void> {
    const { pools } = this.#following;
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

  #read(pool: FollowedPool, transaction: HeardTransaction): PoolStep | null {
    const { deps } = this.#following;
    try {
      return stepOf(deps, pool, transaction);
    } catch (error) {
      // What cannot be read leaves a gap, which says so until somebody can.
      const { signature } = transaction.event;
      deps.logger.warn({ err: error, pool: pool.cursor.pool, signature }, 'a transaction could not be read');
      deps.meters.poolFailed();
      return null;
    }
  }

  /** Answers whether the transaction is known now. */
  async #readOne(pool: FollowedPool, missing: MissingTransaction): Promise<boolean> {
    const { deps } = this.#following;
    if (missing.slot <= pool.tail.start.slot || pool.tail.has(missing.signature)) return true;
    try {
      const step = await readMissed(deps, pool, missing);
      if (!step) return false;
      deps.meters.filled(1);
      this.add(pool, [step]);
      return true;
    } catch (error) {
      deps.logger.warn({ err: error, ...missing }, 'a transaction that was not told of could not be read');
      return false;
    }
  }
}
