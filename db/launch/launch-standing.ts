import { sql } from 'kysely';
import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { launchPrefix, type Purpose } from '../../domain/purpose.ts';
import type { Db } from '../connect.ts';

/** Where a launch stands, with its live transactions in bundle order: public facts alone. */
export interface LaunchStanding {
  readonly state: LaunchState;
  readonly name: string;
  readonly symbol: string;
  readonly mode: LaunchMode;
  readonly creator: string;
  readonly mint: string;
  readonly launchWallet: string;
  readonly reason: string | null;
  readonly blockedReason: string | null;
  /** Of the payment that landed; null while none has. */
  readonly paymentSignature: string | null;
  readonly submittedSignature: string;
  readonly transactions: readonly LiveTransaction[];
}

/** A transaction that may still take effect, or has. */
export interface LiveTransaction {
  readonly purpose: string;
  readonly status: ChainTransactionStatus;
  readonly signature: string;
}

/** Reads with one statement where a launch stands; null where there is none. */
export async function standingOf(db: Db, quoteId: string): Promise<LaunchStanding | null> {
  const rows = await withLive(db, quoteId).execute();
  const [first] = rows;
  if (!first) return null;
  const transactions = rows.flatMap(({ purpose, status, signature }) =>
    purpose === null || status === null || signature === null ? [] : [{ purpose, status, signature }],
  );
  const { state, name, symbol, mode, creator, mint, launchWallet, reason, blockedReason } = first;
  const { paymentSignature, submittedSignature } = first;
  return {
    state,
    name,
    symbol,
    mode,
    creator,
    mint,
    launchWallet,
    reason,
    blockedReason,
    paymentSignature,
    submittedSignature,
    transactions,
  };
}

function withLive(db: Db, quoteId: string) {
  // A quote id has no character that means something in a pattern.
  const pattern = `${launchPrefix(quoteId)}%` as Purpose;
  return db
    .selectFrom('launches')
    .leftJoin('chainTransactions as live', (join) =>
      join
        .on('live.purpose', 'like', pattern)
        .on(sql<boolean>`live.status not in ('dead', 'abandoned') and not live.error_finalized`),
    )
    .select(['launches.state', 'name', 'symbol', 'mode', 'creator', 'mint', 'reason', 'blockedReason'])
    .select(['paymentSignature', 'submittedSignature', 'live.purpose', 'live.status', 'live.signature'])
    .select(sql<string>`terms -> 'addresses' ->> 'launchWallet'`.as('launchWallet'))
    .where('quoteId', '=', quoteId)
    .orderBy('live.purpose');
}
