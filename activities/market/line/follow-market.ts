import { setTimeout as sleep } from 'node:timers/promises';
import { NEAR_SLOTS } from '../../../chain/rpc/head.ts';
import type { ChainStream, StreamEvent } from '../../../chain/stream/chain-stream.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
import * as poolCursors from '../../../db/market/pool-cursors.ts';
import type { IndexState, MarketDeps } from '../deps.ts';
import { createLine, type Line } from './line.ts';
import { Connection } from './observed/connection.ts';
import { NewPools } from './observed/new-pools.ts';
import { observe } from './observed/observing.ts';
import { WatchList } from './observed/watch-list.ts';
import { Comparison } from './ordered/comparison.ts';
import { Forks } from './ordered/forks.ts';
import { orderMissed, orderObserved } from './ordered/ordering.ts';
import { rereadDue } from './ordered/rereading.ts';
import { Settling } from './settled/settling.ts';
import { Storing } from './written/storing.ts';

const REST_MS = 50;
const METERS_EVERY_MS = 10_000;
/** Heartbeat interval, ms: Temporal notices a dead worker within seconds; one step may wait for a slow endpoint. */
const BEAT_EVERY_MS = 1_000;
const STUCK_AFTER_MS = 120_000;
/** A backlog above this closes the stream, which reconnects later. */
const MOST_WAITING = 50_000;
/** Number of followed pools above which idle ones are dropped. */
const MOST_POOLS = 20_000;

interface Stages {
  readonly line: Line;
  readonly connection: Connection;
  readonly newPools: NewPools;
  readonly comparison: Comparison;
  readonly forks: Forks;
  readonly storing: Storing;
  readonly settling: Settling;
}

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
    stages = await openStages(deps, source);
    await followUntil(stages, signal, progress);
  } finally {
    clearInterval(beat);
  }
}

/** Opens the stages where an earlier process left off. */
async function openStages(deps: MarketDeps, source: ChainStream): Promise<Stages> {
  const { db } = deps;
  const line = createLine(deps, await WatchList.load(db));
  const slot = await marketStream.followedSlot(db);
  line.followed.resume(slot);
  const open = await marketStream.unsettled(db, slot ?? 0);
  await line.pools.load(open.map(({ pool }) => pool));
  await line.rereads.requireChanged(open.filter(({ isOverdue }) => isOverdue).map(({ pool }) => pool));
  const connection = new Connection(source, deps.logger);
  return {
    line,
    connection,
    newPools: new NewPools(line, connection),
    comparison: new Comparison(line),
    forks: new Forks(line),
    storing: new Storing(line),
    settling: new Settling(line),
  };
}

async function followUntil(stages: Stages, signal: AbortSignal, progress: { turnedAt: number }): Promise<void> {
  const { line, connection } = stages;
  let meteredAt = Number.NEGATIVE_INFINITY;
  try {
    while (!signal.aborted) {
      progress.turnedAt = performance.now();
      if (connection.isDue) await connect(stages);
      line.liveness.note(line.observing.blocks.tip, line.finality);
      const wasBusy = await turn(stages);
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

/** Moves everything that was observed one way along the line. Returns whether there was anything. */
async function turn({ line, newPools, comparison, forks, storing, settling }: Stages): Promise<boolean> {
  await newPools.requireSubscribed();
  const ordered = await orderObserved(line);
  await forks.follow();
  await orderMissed(line);
  await rereadDue(line);
  const stored = await storing.store();
  await settling.settleInTime();
  line.pools.shed(MOST_POOLS);
  await comparison.compareInTime();
  await newPools.followInTime(storing.allReadAt);
  return ordered || stored;
}

async function connect({ line, connection, comparison }: Stages): Promise<void> {
  const { deps, observing, finality } = line;
  const { source } = connection;
  try {
    const followed = await provenFollowed(line);
    const first = await source.firstAvailable();
    finality.noteFirstAvailable(first);
    const from = followed !== null && first !== null && first <= followed + 1 ? followed + 1 : null;
    if (from === null) comparison.noteHole();
    deps.logger.info({ host: source.host, from }, 'the market is followed by a stream');
    connection.open(observing.list.wanted(), from, (event) => receive(line, connection, event));
  } catch (error) {
    deps.logger.warn({ err: error, host: source.host }, 'the stream of the market cannot be reached');
    connection.pause();
  }
}

/** Returns the recorded slot; null if there is none, or if it is beyond what a quorum has finalized. */
async function provenFollowed({ deps, finality, followed }: Line): Promise<number | null> {
  const finalized = await deps.rpc.reachedSlot('finalized');
  finality.noteFinal(finalized);
  const slot = await marketStream.followedSlot(deps.db);
  if (slot === null || slot <= finalized + NEAR_SLOTS) return slot;
  deps.logger.error({ followed: slot, finalized }, 'the market was noted as followed beyond finality');
  await marketStream.forgetFollowed(deps.db);
  followed.resume(null);
  return null;
}

function receive({ deps, observing, liveness, finality }: Line, connection: Connection, event: StreamEvent): void {
  if (event.kind === 'unreadable') {
    deps.meters.poolFailed();
    deps.logger.warn({ err: event.error }, 'an update of the stream could not be read');
  } else if (liveness.isPlausible(event.slot, finality.presumed)) observe(observing, event);
  else {
    const { final: finalSlot } = finality;
    deps.logger.error({ slot: event.slot, finalSlot }, 'the stream tells of slots that are not there yet');
    connection.close();
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
