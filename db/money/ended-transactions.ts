/** Transactions as the comparison of books and chain looks at them. */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { ChainTransaction } from '../schema/money.ts';

/** What is compared of a transaction. */
export type ComparedTransaction = Pick<ChainTransaction, 'purpose' | 'signature' | 'status' | 'lane'>;

/** Most transactions that one comparison looks at. */
const MOST = 10_000;

/** Those that nobody has ended although their blockhash was good up to a lower block height than this. */
export function overdue(db: Db, blockHeight: number): Promise<ComparedTransaction[]> {
  return db
    .selectFrom('chainTransactions')
    .select(['purpose', 'signature', 'status', 'lane'])
    .where(
      sql<boolean>`(status in ('signed', 'broadcasting', 'landed') or (status = 'failed' and not error_finalized))`,
    )
    .where('status', '<>', 'landed')
    .where('lastValidBlockHeight', '<', BigInt(blockHeight))
    .limit(MOST)
    .execute();
}

/** Those outside of lanes that were ended within so many seconds, one way or the other; lanes say it of theirs. */
export function endedWithin(db: Db, seconds: number): Promise<ComparedTransaction[]> {
  return db
    .selectFrom('chainTransactions')
    .select(['purpose', 'signature', 'status', 'lane'])
    .where('lane', 'is', null)
    .where('settledAt', '>', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .where('status', 'in', ['finalized', 'dead'])
    .orderBy('settledAt', 'desc')
    .limit(MOST)
    .execute();
}
