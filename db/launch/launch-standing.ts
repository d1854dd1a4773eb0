import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { launchPrefix } from '../../domain/purpose.ts';
import type { Db } from '../connect.ts';
import { liveRows } from '../money/chain-transactions.ts';

/** Where a launch stands, with its live transactions in bundle order: public facts alone. */
export interface LaunchStanding {
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
  readonly transactions: readonly LiveTransaction[];
}

/** A transaction that may still take effect, or has. */
interface LiveTransaction {
  readonly purpose: string;
  readonly status: ChainTransactionStatus;
  readonly signature: string;
}

/** Reads with one statement where a launch stands; null where there is none. */
export async function standingOf(db: Db, quoteId: string): Promise<LaunchStanding | null> {
  const live = liveRows(db, launchPrefix(quoteId)).select(['purpose', 'status', 'signature']).orderBy('purpose');
  const launch = await db
    .selectFrom('launches')
    .select(['state', 'name', 'symbol', 'mode', 'creator', 'mint', 'reason', 'blockedReason'])
    .select((eb) => eb.fn.coalesce('paymentSignature', 'submittedSignature').as('paymentSignature'))
    .select(sql<string>`terms -> 'addresses' ->> 'launchWallet'`.as('launchWallet'))
    .select(jsonArrayFrom(live).as('transactions'))
    .where('quoteId', '=', quoteId)
    .executeTakeFirst();
  return launch ?? null;
}
