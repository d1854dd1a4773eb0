import type { Connection } from '@solana/web3.js';
import { LanesMissingError, type Lanes } from '../activities/money/lanes.ts';
import type { Lane } from '../chain/lanes/lane.ts';
import { ForeignLaneError, missingLanes } from '../chain/lanes/make-lanes.ts';
import * as laneChecks from '../db/money/lane-checks.ts';
import type { Connections } from './connections.ts';
import { retryStart, type StartRetry } from './retry-start.ts';

/**
 * Opens the lanes before any plan or signature: on the chain, ours, and the ledger up to date; after a restore it
 * learns here what it lost. Throws a LanesMissingError, a ForeignLaneError, or why a lane could not be learned.
 */
export async function openLanes(lanes: Lanes, { db, rpc }: Connections, retry: StartRetry): Promise<void> {
  const isFinal = (error: unknown) => error instanceof LanesMissingError || error instanceof ForeignLaneError;
  await retryStart('the lanes', () => open(lanes, { db, rpc }), retry, isFinal);
}

async function open(lanes: Lanes, { db, rpc }: Pick<Connections, 'db' | 'rpc'>): Promise<void> {
  const ground = await lanes.ground();
  await assertFinal(rpc.connection, ground.lanes);
  const [broken] = await laneChecks.check(db);
  if (broken) throw new LanesMissingError(`lane ${broken.lane} of the database does not follow from its steps`);
  await lanes.learn();
}

/** Lanes that were just made become final while the start is retried. */
async function assertFinal(connection: Connection, lanes: readonly Lane[]): Promise<void> {
  const unfinished = await missingLanes(connection, lanes, 'finalized');
  if (unfinished.length === 0) return;
  const missing = await missingLanes(connection, unfinished, 'confirmed');
  if (missing.length > 0) throw new LanesMissingError(`${missing.length} lanes are not on the chain`);
  throw new Error(`${unfinished.length} lanes are not final yet`);
}
