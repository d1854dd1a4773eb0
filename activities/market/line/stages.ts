import { NEAR_SLOTS } from '../../../chain/rpc/head.ts';
import type { ChainStream, StreamEvent } from '../../../chain/stream/chain-stream.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
import type { MarketDeps } from '../deps.ts';
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

/** Number of followed pools above which idle ones are dropped. */
const MOST_POOLS = 20_000;

/** The line and the objects that move swaps along it. */
export interface Stages {
  readonly line: Line;
  readonly connection: Connection;
  readonly newPools: NewPools;
  readonly comparison: Comparison;
  readonly forks: Forks;
  readonly storing: Storing;
  readonly settling: Settling;
}

/**
 * Opens the stages where an earlier process left off.
 * @param now monotonic clock, ms
 */
export async function openStages(deps: MarketDeps, source: ChainStream, now: () => number): Promise<Stages> {
  const { db } = deps;
  const line = createLine(deps, await WatchList.load(db), now);
  const slot = await marketStream.followedSlot(db);
  line.followed.resume(slot);
  const open = await marketStream.unsettled(db, slot ?? 0);
  await line.pools.load(open.map(({ pool }) => pool));
  await line.rereads.requireChanged(open.filter(({ isOverdue }) => isOverdue).map(({ pool }) => pool));
  const connection = new Connection(source, deps.logger, now);
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

/** Moves everything that was observed one way along the line. Returns whether there was anything. */
export async function moveAlong(stages: Stages): Promise<boolean> {
  const { line, connection, newPools, comparison, forks, storing, settling } = stages;
  if (connection.isDue) await connect(stages);
  line.liveness.note(line.observing.blocks.tip, line.finality);
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
