import { blockTimeOf } from '../../../../domain/block-time.ts';
import { inParallel } from '../../../../chain/rpc/in-parallel.ts';
import type { FollowedPool } from '../followed-pools.ts';
import { type Line, POOLS_AT_ONCE } from '../line.ts';
import type { MissingTransaction } from '../observed/missed.ts';
import type { ReceivedTransaction } from '../observed/waiting.ts';
import type { PoolStep } from './ordered-pool.ts';
import { readMissed, stepOf } from './pool-history.ts';

/** Orders what was observed, and queues pools whose blocks never came. Returns whether there was anything. */
export async function orderObserved(line: Line): Promise<boolean> {
  const { waiting } = line.observing;
  await readTimes(line);
  for (const [pool, slot] of waiting.takeLost()) await line.rereads.requireChanged([pool], slot);
  const received = waiting.takeReady();
  await orderReceived(line, received);
  return received.length > 0;
}

/** Puts a pool's transactions among its unsettled ones. */
export function order({ rereads }: Line, pool: FollowedPool, steps: readonly PoolStep[]): void {
  if (steps.length === 0) return;
  pool.ordered.take(steps);
  rereads.noteLinks(pool);
}

async function readTimes({ deps, observing: { waiting, blocks } }: Line): Promise<void> {
  for (const slot of waiting.untimed()) {
    try {
      const blockTime = blockTimeOf(await deps.rpc.connection.getBlockTime(slot));
      if (blockTime !== null) blocks.noteTime(slot, blockTime);
    } catch (error) {
      deps.logger.warn({ err: error, slot }, 'the time of a block could not be read');
    }
  }
}

async function orderReceived(line: Line, received: readonly ReceivedTransaction[]): Promise<void> {
  const { pools } = line;
  await pools.load([...new Set(received.flatMap((transaction) => transaction.pools))]);
  const steps = new Map<FollowedPool, PoolStep[]>();
  for (const transaction of received) {
    for (const address of transaction.pools) {
      const pool = pools.get(address);
      const step = pool && read(line, pool, transaction);
      if (step) steps.set(pool, [...(steps.get(pool) ?? []), step]);
    }
  }
  for (const [pool, found] of steps) order(line, pool, found);
}

function read({ deps }: Line, pool: FollowedPool, transaction: ReceivedTransaction): PoolStep | null {
  try {
    return stepOf(deps, pool, transaction);
  } catch (error) {
    // The history then has a gap, which is recorded.
    const { signature } = transaction.event;
    deps.logger.warn({ err: error, pool: pool.address, signature }, 'a transaction could not be read');
    deps.meters.poolFailed();
    return null;
  }
}

/** Reads by RPC what accounts showed and the source did not report. */
export async function orderMissed(line: Line): Promise<void> {
  const { observing, pools, rereads } = line;
  const missed = observing.missed.take();
  await pools.load([...new Set(missed.map(({ pool }) => pool))]);
  const found = await inParallel(POOLS_AT_ONCE, missed, async (missing) => {
    const pool = pools.get(missing.pool);
    return pool === undefined || (await readOne(line, pool, missing));
  });
  for (const { pool, slot } of missed.filter((_, index) => found[index] !== true)) {
    await rereads.requireChanged([pool], slot);
  }
}

async function readOne(line: Line, pool: FollowedPool, missing: MissingTransaction): Promise<boolean> {
  const { deps } = line;
  const { tail } = pool.ordered;
  if (missing.slot <= tail.start.slot || tail.has(missing.signature, missing.slot)) return true;
  try {
    const step = await readMissed(deps, pool, missing);
    if (!step) return false;
    deps.meters.filled(1);
    order(line, pool, [step]);
    return true;
  } catch (error) {
    deps.logger.warn({ err: error, ...missing }, 'a transaction that was not received could not be read');
    return false;
  }
}
