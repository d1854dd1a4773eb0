import { sql } from 'kysely';
import { LAUNCH_STEPS, launchPurpose } from '../../domain/purpose.ts';
import type { Db } from '../connect.ts';
import type { LaunchStateEntry } from './launches.ts';
import type { LaunchRecord } from './launch-records.ts';
import type { ChainTransaction } from '../schema/money.ts';

/** A transaction of a launch's bundle as it stands. */
export type LaunchTransaction = Pick<ChainTransaction, 'purpose' | 'status' | 'signature' | 'slot'>;

/** A launch with what happened to it. */
export interface DetailedLaunch {
  readonly launch: LaunchRecord;
  /** Every state it was in, oldest first. */
  readonly history: readonly LaunchStateEntry[];
  /** What may still take or has taken effect, in the bundle's order. */
  readonly transactions: readonly LaunchTransaction[];
}

/** Adds history and transactions to launches, in their order, with two queries however many they are. */
export async function withDetails(db: Db, launches: readonly LaunchRecord[]): Promise<DetailedLaunch[]> {
  const quoteIds = launches.map(({ quoteId }) => quoteId);
  if (quoteIds.length === 0) return [];
  const [history, transactions] = await Promise.all([historyOf(db, quoteIds), transactionsOf(db, quoteIds)]);
  const entries = Map.groupBy(history, ({ quoteId }) => quoteId);
  const rows = Map.groupBy(transactions, ({ purpose }) => purpose.split('/')[1]);
  return launches.map((launch) => ({
    launch,
    history: entries.get(launch.quoteId) ?? [],
    transactions: rows.get(launch.quoteId) ?? [],
  }));
}

function historyOf(db: Db, quoteIds: readonly string[]): Promise<LaunchStateEntry[]> {
  return db.selectFrom('launchStateHistory').selectAll().where('quoteId', 'in', quoteIds).orderBy('id').execute();
}

function transactionsOf(db: Db, quoteIds: readonly string[]): Promise<LaunchTransaction[]> {
  const purposes = quoteIds.flatMap((quoteId) => LAUNCH_STEPS.map((step) => launchPurpose(quoteId, step)));
  return db
    .selectFrom('chainTransactions')
    .select(['purpose', 'status', 'signature', 'slot'])
    .where('purpose', 'in', purposes)
    .where(sql<boolean>`status not in ('dead', 'abandoned') and not error_finalized`)
    .orderBy('purpose')
    .execute();
}
