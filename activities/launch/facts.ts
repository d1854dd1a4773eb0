import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import type { Db } from '../../db/connect.ts';
import * as launches from '../../db/launch/launches.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { standingOf } from '../../db/launch/launch-standing.ts';

/** What a workflow may know of a launch: public facts only, because all of it stays in Temporal's history. */
export interface LaunchFacts {
  readonly state: LaunchState;
  readonly name: string;
  readonly symbol: string;
  readonly mode: LaunchMode;
  readonly creator: string;
  readonly mint: string;
  readonly launchWallet: string;
  /** The payment that landed or, while none did, the one that was submitted. */
  readonly paymentSignature: string;
  readonly reason: string | null;
  readonly blockedReason: string | null;
  readonly transactions: readonly {
    readonly purpose: string;
    readonly status: ChainTransactionStatus;
    readonly signature: string;
  }[];
}

/** Reads a launch. Throws when there is none: a workflow starts only after its launch was committed. */
export async function readLaunch(db: Db, quoteId: string): Promise<LaunchRecord> {
  const launch = await launches.byQuoteId(db, quoteId);
  if (!launch) throw missing(quoteId);
  return launch;
}

/** The launch as its workflow sees it. Throws like `readLaunch`. */
export async function readFacts(db: Db, quoteId: string): Promise<LaunchFacts> {
  const launch = await standingOf(db, quoteId);
  if (!launch) throw missing(quoteId);
  const { submittedSignature, paymentSignature, ...facts } = launch;
  return { ...facts, paymentSignature: paymentSignature ?? submittedSignature };
}

function missing(quoteId: string): Error {
  return new Error(`launch ${quoteId} is not in the database`);
}
