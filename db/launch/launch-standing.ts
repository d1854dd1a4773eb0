import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { launchPrefix } from '../../domain/purpose.ts';
import type { Db } from '../connect.ts';
import { liveRows } from '../money/chain-transactions.ts';

/** State of a launch with live transactions in bundle order; public facts only. */
export interface LaunchStanding {
  readonly state: LaunchState;
  readonly name: string;
  readonly symbol: string;
  readonly mode: LaunchMode;
  readonly creator: string;
  /** Null or absent: the creator. */
  readonly feeRecipient?: string | null;
  readonly mint: string;
  readonly launchWallet: string;
  /** Landed, else submitted. */
  readonly paymentSignature: string;
  readonly reason: string | null;
  readonly blockedReason: string | null;
  /** How often it was parked for an operator. */
  readonly parking: number;
  readonly transactions: readonly LiveTransaction[];
}

/** A transaction that may take effect, or has. */
interface LiveTransaction {
  readonly purpose: string;
  readonly status: ChainTransactionStatus;
  readonly signature: string;
}

export async function standingOf(db: Db, quoteId: string): Promise<LaunchStanding | null> {
  const live = liveRows(db, launchPrefix(quoteId)).select(['purpose', 'status', 'signature']).orderBy('purpose');
  const launch = await db
    .selectFrom('launches')
    .select(['state', 'name', 'symbol', 'mode', 'creator', 'mint', 'reason', 'blockedReason'])
    .select((eb) => eb.fn.coalesce('paymentSignature', 'submittedSignature').as('paymentSignature'))
    .select(sql<string>`terms -> 'addresses' ->> 'launchWallet'`.as('launchWallet'))
    .select(sql<string | null>`terms ->> 'feeRecipient'`.as('feeRecipient'))
    .select(parkings(quoteId).as('parking'))
    .select(jsonArrayFrom(live).as('transactions'))
    .where('quoteId', '=', quoteId)
    .executeTakeFirst();
  return launch ?? null;
}

function parkings(quoteId: string) {
  return sql<number>`(
    select count(*)::integer from launch_state_history where quote_id = ${quoteId} and state = 'needs_recovery'
  )`;
}
