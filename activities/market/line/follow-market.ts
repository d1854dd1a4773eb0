import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainStream } from '../../../chain/stream/chain-stream.ts';
import * as poolCursors from '../../../db/market/pool-cursors.ts';
import type { IndexState, MarketDeps } from '../deps.ts';
import type { Line } from './line.ts';
import { moveAlong, openStages, type Stages } from './stages.ts';

const REST_MS = 50;
const METERS_EVERY_MS = 10_000;
/** Heartbeat interval, ms: Temporal notices a dead worker within seconds; one step may wait for a slow endpoint. */
const BEAT_EVERY_MS = 1_000;
const STUCK_AFTER_MS = 120_000;
/** A backlog above this closes the stream, which reconnects later. */
const MOST_WAITING = 50_000;

/**
 * Follows the market by a stream until `signal` aborts. A reconnect resumes at the first unsettled slot. If it cannot,
 * or if the stream is silent, all pools are compared with the chain.
 */
export async function followMarket(deps: MarketDeps, source: ChainStream, signal: AbortSignal): Promise<void> {
  const progress = { turnedAt: performance.now() };
  let stages: Stages | null = null;
  const beat = setInterval(() => {
    // A stuck step stops the heartbeat, so that another worker takes over.
    const isStuck = performance.now() - progress.turnedAt >= STUCK_AFTER_MS;
    if (!isStuck) deps.heartbeat();
    const backlog = stages?.line.observing.waiting.all.length ?? 0;
    if (isStuck || backlog > MOST_WAITING) stages?.connection.close();
  }, BEAT_EVERY_MS);
  try {
    stages = await openStages(deps, source, () => performance.now());
    await followUntil(stages, signal, progress);
  } finally {
    clearInterval(beat);
  }
}

async function followUntil(stages: Stages, signal: AbortSignal, progress: { turnedAt: number }): Promise<void> {
  const { line, connection } = stages;
  let meteredAt = Number.NEGATIVE_INFINITY;
  try {
    while (!signal.aborted) {
      progress.turnedAt = performance.now();
      const wasBusy = await moveAlong(stages);
      if (performance.now() - meteredAt >= METERS_EVERY_MS) {
        meteredAt = performance.now();
        void meterState(line);
      }
      meter(stages, connection.isOpen && line.liveness.isLive);
      if (!wasBusy) await sleep(REST_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    connection.close();
    meter(stages, false);
  }
}

async function meterState({ deps, observing, finality }: Line): Promise<void> {
  try {
    deps.meters.polled(await stateOf(deps, Math.max(finality.final, observing.blocks.finalized)));
  } catch (error) {
    deps.logger.warn({ err: error }, 'how far the index is behind could not be read');
  }
}

async function stateOf({ db }: MarketDeps, finalized: number): Promise<IndexState> {
  const { oldestChange, gaps } = await poolCursors.totals(db);
  return { lagSlots: Math.max(0, finalized - Number(oldestChange ?? finalized)), gaps };
}

function meter({ line, connection }: Stages, isConnected: boolean): void {
  const { deps, observing, finality, followed } = line;
  deps.meters.streamed({
    isConnected,
    pools: observing.list.size,
    slot: observing.blocks.tip,
    finalizedSlot: finality.final,
    settledSlot: followed.slot,
    backlog: observing.waiting.all.length,
    updates: connection.takeUpdates(),
  });
}
