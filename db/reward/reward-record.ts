/** Public. Hides observing rounds, which would reveal that moments are being drawn. */

import { sql } from 'kysely';
import type { LeftOut, LeftOutReason } from '../../domain/reward/left-out.ts';
import type { RewardRoundState } from '../../domain/reward/state.ts';
import type { Db } from '../connect.ts';
import type { Paging } from '../paging.ts';
import type { RewardRound } from './reward-rounds.ts';
import type { SnapshotRecord } from './reward-snapshots.ts';

export const PUBLIC_ROUND_STATES = [
  'collecting',
  'selling',
  'sealing',
  'paying',
  'done',
] as const satisfies RewardRoundState[];
export type PublicRoundState = (typeof PUBLIC_ROUND_STATES)[number];

type Facts =
  | 'id'
  | 'number'
  | 'openedSlot'
  | 'windowSlot'
  | 'windowSlots'
  | 'plannedAt'
  | 'endedAt'
  | 'note'
  | 'budgetRaw'
  | 'minimumRaw'
  | 'leastPayoutRaw'
  | 'averagePrice'
  | 'quoteUsd'
  | 'holders';

interface RoundRow extends Pick<RewardRound, Facts> {
  readonly state: PublicRoundState;
  /** Raw, and USD at the time; unpriced ones count as zero. */
  readonly paidRaw: bigint;
  readonly paidUsd: string;
  readonly recipients: number;
}

export interface RoundSeal {
  /** Merkle root of the document, hex. */
  readonly root: string;
  readonly rowCount: number;
  /** Length of the document. */
  readonly byteCount: bigint;
  /** Null until final. */
  readonly landed: { readonly signature: string; readonly slot: bigint; readonly landedAt: Date } | null;
}

export interface LeftOutCount {
  readonly reason: LeftOutReason;
  readonly owners: number;
}

export interface PublicRound extends RoundRow {
  readonly observations: readonly SnapshotRecord[];
  /** Most frequent first. */
  readonly leftOut: readonly LeftOutCount[];
  /** Null before the plan, and without payouts. */
  readonly seal: RoundSeal | null;
}

/** Newest first. */
export async function rounds(db: Db, mint: string, { page, pageSize }: Paging) {
  const { rows: read } = await sql<RoundRow>`
    select id, number, state, opened_slot, window_slot, window_slots, planned_at, ended_at, note, budget_raw, minimum_raw, least_payout_raw,
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
  const [snapshots, counts, seals] = await Promise.all([
    db
      .selectFrom('rewardSnapshots')
      .select(['roundId', 'n', 'slot', 'blockhash', 'readSlot', 'answerSlots', 'quorum'])
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
    sealsOf(db, ids),
  ]);
  return rows.map((row) => ({
    ...row,
    observations: snapshots.filter(({ roundId }) => roundId === row.id),
    leftOut: counts.filter(({ roundId }) => roundId === row.id),
    seal: seals.get(row.id) ?? null,
  }));
}

async function sealsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, RoundSeal>> {
  const rows = await db
    .selectFrom('rewardRounds')
    .innerJoin('proofDocuments', 'proofDocuments.root', 'rewardRounds.sealedRoot')
    .leftJoin('rewardTransactions as seal', (join) =>
      join.onRef('seal.roundId', '=', 'rewardRounds.id').onRef('seal.root', '=', 'rewardRounds.sealedRoot'),
    )
    .select([
      'rewardRounds.id',
      'proofDocuments.root',
      'rowCount',
      'byteCount',
      'seal.signature',
      'seal.slot',
      'seal.landedAt',
    ])
    .where('rewardRounds.id', 'in', [...ids])
    .execute();
  return new Map(
    rows.map(({ id, signature, slot, landedAt, ...document }) => {
      const isLanded = signature !== null && slot !== null && landedAt !== null;
      return [id, { ...document, landed: isLanded ? { signature, slot, landedAt } : null }];
    }),
  );
}

export async function countRounds(db: Db, mint: string): Promise<number> {
  const { count } = await db
    .selectFrom('rewardRounds')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('mint', '=', mint)
    .where('state', '<>', 'observing')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Null if unknown or not public. */
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

/** Lists owners left out, largest balance first. */
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

export async function countLeftOut(db: Db, roundId: string): Promise<number> {
  const { count } = await db
    .selectFrom('rewardLeftOut')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('roundId', '=', roundId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
