import type { Db } from '../../db/connect.ts';
import * as launches from '../../db/launch/launches.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { type LaunchStanding, standingOf } from '../../db/launch/launch-standing.ts';

/** What a workflow may know of a launch: public facts only, because all of it stays in Temporal's history. */
export type LaunchFacts = LaunchStanding;

/** Reads a launch. Throws when there is none: a workflow starts only after its launch was committed. */
export async function readLaunch(db: Db, quoteId: string): Promise<LaunchRecord> {
  const launch = await launches.byQuoteId(db, quoteId);
  if (!launch) throw missing(quoteId);
  return launch;
}

/** The launch as its workflow sees it. Throws like `readLaunch`. */
export async function readFacts(db: Db, quoteId: string): Promise<LaunchFacts> {
  const facts = await standingOf(db, quoteId);
  if (!facts) throw missing(quoteId);
  return facts;
}

function missing(quoteId: string): Error {
  return new Error(`launch ${quoteId} is not in the database`);
}
