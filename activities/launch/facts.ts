import type { Db } from '../../db/connect.ts';
import * as launches from '../../db/launch/launches.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { type LaunchStanding, standingOf } from '../../db/launch/launch-standing.ts';

/** Public: they stay in Temporal's history. */
export type LaunchFacts = LaunchStanding;

/** Throws if it does not exist: a workflow starts after its launch is committed. */
export async function readLaunch(db: Db, quoteId: string): Promise<LaunchRecord> {
  const launch = await launches.byQuoteId(db, quoteId);
  if (!launch) throw missing(quoteId);
  return launch;
}

export async function readFacts(db: Db, quoteId: string): Promise<LaunchFacts> {
  const facts = await standingOf(db, quoteId);
  if (!facts) throw missing(quoteId);
  return facts;
}

function missing(quoteId: string): Error {
  return new Error(`launch ${quoteId} is not in the database`);
}
