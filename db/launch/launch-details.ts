import { sql } from 'kysely';
import { LAUNCH_STEPS, launchPurpose } from '../../domain/purpose.ts';
import type { Db } from '../connect.ts';
import type { LaunchStateEntry } from './launches.ts';
import type { LaunchRecord } from './launch-records.ts';
import type { ChainTransaction } from '../schema/money.ts';

export type LaunchTransaction = Pick<ChainTransaction, 'purpose' | 'status' | 'signature' | 'slot'>;

export interface DetailedLaunch {
  readonly launch: LaunchRecord;
  /** Oldest first. */
  readonly history: readonly LaunchStateEntry[];
  /** Live, in bundle order. */
  readonly transactions: readonly LaunchTransaction[];
  /** Null before it exists, or after a fork. */
  readonly token: LaunchedTokenFacts | null;
}

export interface LaunchedTokenFacts {
  readonly quoteId: string | null;
  readonly pool: string;
  readonly logoUrl: string;
  /** By an admin: absent from market lists and search. */
  readonly hidden: boolean;
  /** Raw, before transfer tax; null without an airdrop. */
  readonly airdropDeliveredRaw: bigint | null;
}

/** Adds history, transactions and token; keeps the order. Three queries for any number. */
export async function withDetails(db: Db, launches: readonly LaunchRecord[]): Promise<DetailedLaunch[]> {
  const quoteIds = launches.map(({ quoteId }) => quoteId);
  if (quoteIds.length === 0) return [];
  const [history, transactions, tokens] = await Promise.all([
    historyOf(db, quoteIds),
    transactionsOf(db, quoteIds),
    tokensOf(db, quoteIds),
  ]);
  const entries = Map.groupBy(history, ({ quoteId }) => quoteId);
  const rows = Map.groupBy(transactions, ({ purpose }) => purpose.split('/')[1]);
  const tokenOf = new Map(tokens.map((token) => [token.quoteId, token]));
  return launches.map((launch) => ({
    launch,
    history: entries.get(launch.quoteId) ?? [],
    transactions: rows.get(launch.quoteId) ?? [],
    token: tokenOf.get(launch.quoteId) ?? null,
  }));
}

function tokensOf(db: Db, quoteIds: readonly string[]): Promise<LaunchedTokenFacts[]> {
  return db
    .selectFrom('tokens')
    .leftJoin('airdrops', 'airdrops.mint', 'tokens.mint')
    .select(['tokens.quoteId', 'pool', 'logoUrl', 'hidden', 'airdrops.deliveredRaw as airdropDeliveredRaw'])
    .where('tokens.quoteId', 'in', quoteIds)
    .where('withdrawnAt', 'is', null)
    .execute();
}

function historyOf(db: Db, quoteIds: readonly string[]): Promise<LaunchStateEntry[]> {
  return db.selectFrom('launchStateHistory').selectAll().where('quoteId', 'in', quoteIds).orderBy('id').execute();
}

/** Lists live transactions in bundle order. */
export function transactionsOf(db: Db, quoteIds: readonly string[]): Promise<LaunchTransaction[]> {
  const purposes = quoteIds.flatMap((quoteId) => LAUNCH_STEPS.map((step) => launchPurpose(quoteId, step)));
  return db
    .selectFrom('chainTransactions')
    .select(['purpose', 'status', 'signature', 'slot'])
    .where('purpose', 'in', purposes)
    .where(sql<boolean>`status not in ('dead', 'abandoned') and not error_finalized`)
    .orderBy('purpose')
    .execute();
}
