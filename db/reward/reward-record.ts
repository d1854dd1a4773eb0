/** The public record of reward rounds. A round that observes is no part of it: it would say that moments are being drawn. */

import { sql } from 'kysely';
import type { LeftOut, LeftOutReason } from '../../domain/reward/left-out.ts';
import type { RewardRoundState } from '../../domain/reward/state.ts';
import type { Db } from '../connect.ts';
import type { Paging } from '../paging.ts';
import type { RewardRound } from './reward-rounds.ts';
import type { SnapshotRecord } from './reward-snapshots.ts';

/** States that the public sees. */
export const PUBLIC_ROUND_STATES = ['collecting', 'selling', 'paying', 'done'] as const satisfies RewardRoundState[];
export type PublicRoundState = (typeof PUBLIC_ROUND_STATES)[number];

type Facts =
  | 'id'
  | 'number'
  | 'openedSlot'
  | 'plannedAt'
  | 'endedAt'
  | 'note'
  | 'budgetRaw'
  | 'minimumRaw'
  | 'leastPayoutRaw'
  | 'averagePrice'
  | 'quoteUsd'
  | 'holders';

/** A round as it stands, with what it has paid. */
interface RoundRow extends Pick<RewardRound, Facts> {
  readonly state: PublicRoundState;
  /** Quote tokens that left for holders, raw units, and USD at the time; payments without a price count as zero. */
  readonly paidRaw: bigint;
  readonly paidUsd: string;
  /** Wallets that were paid. */
  readonly recipients: number;
}

/** How many a round left out for a reason. */
export interface LeftOutCount {
  readonly reason: LeftOutReason;
  readonly owners: number;
}

/** A round as the public reads it. */
export interface PublicRound extends RoundRow {
  readonly observations: readonly SnapshotRecord[];
  /** The most frequent reason first. */
  readonly leftOut: readonly LeftOutCount[];
}

/** A token's rounds, newest first, a page. */
export async function rounds(db: Db, mint: string, { page, pageSize }: Paging) {
  const { rows: read } = await sql<RoundRow>`
    select id, number, state, opened_slot, planned_at, ended_at, note, budget_raw, minimum_raw, least_payout_raw,
      average_price, quote_usd, holders, paid.*
    from reward_rounds as round, lateral (
      select coalesce(sum(paid_raw), 0)::numeric(39, 0) as paid_raw, coalesce(sum(value_usd), 0)::numeric(50, 10) as paid_usd,
        coalesce(sum(recipients), 0)::integer as recipients
      from reward_transactions where round_id = round.id and reward_transactions.state = 'done'
    ) as paid
    where mint = ${mint} and state <> 'observing'
    order by number desc limit ${pageSize + 1} offset ${(page - 1) * pageSize}`.execute(db);
  return { rows: await withRecord(db, read.slice(0, pageSize)), hasMore: read.length > pageSize };
}

async function withRecord(db: Db, rows: readonly RoundRow[]): Promise<PublicRound[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [snapshots, counts] = await Promise.all([
    db
      .selectFrom('rewardSnapshots')
      .select(['roundId', 'n', 'seenSlot', 'blockhash', 'slot', 'partSlots', 'readSlot'])
      .where('roundId', 'in', ids)
      .orderBy('n')
      .execute(),
    db
      .selectFrom('rewardLeftOutCounts')
      .selectAll()
      .where('roundId', 'in', ids)
      .orderBy('owners', 'desc')
      .orderBy('reason')
      .execute(),
  ]);
  return rows.map((row) => ({
    ...row,
    observations: snapshots.filter(({ roundId }) => roundId === row.id),
    leftOut: counts.filter(({ roundId }) => roundId === row.id),
  }));
}

/** How many rounds of a token the public sees. */
export async function countRounds(db: Db, mint: string): Promise<number> {
  const { count } = await db
    .selectFrom('rewardRounds')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('mint', '=', mint)
    .where('state', '<>', 'observing')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Id of a token's round with this number; null where the public sees none. */
export async function roundId(db: Db, mint: string, number: number): Promise<string | null> {
  const row = await db
    .selectFrom('rewardRounds')
    .select('id')
    .where('mint', '=', mint)
    .where('number', '=', number)
    .where('state', '<>', 'observing')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Whom a round left out, by name: who held most first, a page. */
export async function leftOut(db: Db, roundId: string, { page, pageSize }: Paging) {
  const rows: LeftOut[] = await db
    .selectFrom('rewardLeftOut')
    .select(['owner', 'reason', 'balanceRaw'])
    .where('roundId', '=', roundId)
    .orderBy('balanceRaw', 'desc')
    .orderBy('owner')
    .limit(pageSize + 1)
    .offset((page - 1) * pageSize)
    .execute();
  return { rows: rows.slice(0, pageSize), hasMore: rows.length > pageSize };
}

/** How many a round left out by name. */
export async function countLeftOut(db: Db, roundId: string): Promise<number> {
  const { count } = await db
    .selectFrom('rewardLeftOut')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('roundId', '=', roundId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
