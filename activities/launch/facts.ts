import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { launchPrefix } from '../../domain/purpose.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import type { Db } from '../../db/connect.ts';
import * as launches from '../../db/launch/launches.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';

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
  if (!launch) throw new Error(`launch ${quoteId} is not in the database`);
  return launch;
}

/** The launch as its workflow sees it. */
export async function readFacts(db: Db, quoteId: string): Promise<LaunchFacts> {
  const [launch, rows] = await Promise.all([
    readLaunch(db, quoteId),
    chainTransactions.liveByPrefix(db, launchPrefix(quoteId)),
  ]);
  const { state, name, symbol, mode, creator, mint, reason, blockedReason } = launch;
  return {
    state,
    name,
    symbol,
    mode,
    creator,
    mint,
    reason,
    blockedReason,
    launchWallet: launch.terms.addresses.launchWallet,
    paymentSignature: launch.paymentSignature ?? launch.submittedSignature,
    transactions: rows.map(({ purpose, status, signature }) => ({ purpose, status, signature })),
  };
}
