/** For comparing records and chain. */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { ChainTransaction } from '../schema/money.ts';

export type ComparedTransaction = Pick<ChainTransaction, 'purpose' | 'signature' | 'status' | 'lane'>;

/** Maximum transactions per comparison. */
const MOST = 10_000;

/** Lists open transactions whose blockhash expired before this height. */
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

/** An ended transaction with the slot before which it cannot have landed. */
export type EndedTransaction = ComparedTransaction & Pick<ChainTransaction, 'blockhashSlot' | 'slot'>;

export function endedWithin(db: Db, seconds: number): Promise<EndedTransaction[]> {
  return db
    .selectFrom('chainTransactions')
    .select(['purpose', 'signature', 'status', 'lane', 'blockhashSlot', 'slot'])
    .where('lane', 'is', null)
    .where('settledAt', '>', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .where('status', 'in', ['finalized', 'dead'])
    .orderBy('settledAt', 'desc')
    .limit(MOST)
    .execute();
}
