/** Payouts to one wallet; only paid ones, whose transaction is final. */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';

export interface WalletPayout {
  readonly roundId: string;
  readonly roundNumber: number;
  readonly mint: string;
  readonly symbol: string;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
  readonly amountRaw: bigint;
  /** USD per quote token at the round; null where it was not known. */
  readonly quoteUsd: string | null;
  readonly signature: string;
  readonly slot: bigint;
  readonly paidAt: Date;
}

/** Last row of a page. */
export type PayoutMark = Pick<WalletPayout, 'paidAt' | 'roundId'>;

export interface PayoutFilter {
  /** Inclusive. */
  readonly since: Date | null;
  /** In the list's order. */
  readonly after: PayoutMark | null;
}

/** Payouts to a wallet for one coin on one UTC day, summed. */
export interface WalletDay {
  /** `2026-11-26` */
  readonly date: string;
  readonly mint: string;
  readonly symbol: string;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
  readonly amountRaw: bigint;
  /** Payouts without a price count as zero. */
  readonly valueUsd: string;
  readonly payouts: number;
}

const PAID = sql`paid.state = 'paid' and paid.kind = 'holder'`;
const COIN = sql`tokens.mint, tokens.symbol, tokens.quote_mint, tokens.quote_symbol,
    (select pairs.decimals from pairs where pairs.mint = tokens.quote_mint) as quote_decimals`;
const FROM = sql`reward_payouts as paid join reward_rounds as round on round.id = paid.round_id
    join tokens on tokens.mint = round.mint`;

/** Newest first. */
export async function listPayouts(
  db: Db,
  wallet: string,
  { since, after }: PayoutFilter,
  limit: number,
): Promise<WalletPayout[]> {
  const from = since === null ? sql`true` : sql`paid.paid_at >= ${since}`;
  const behind =
    after === null ? sql`true` : sql`(paid.paid_at, paid.round_id) < (${after.paidAt}, ${after.roundId}::uuid)`;
  const { rows } = await sql<WalletPayout>`
    select paid.round_id, round.number as round_number, ${COIN}, paid.amount_raw, round.quote_usd, moved.signature, moved.slot,
      paid.paid_at
    from ${FROM} join reward_transactions as moved on moved.round_id = paid.round_id and moved.n = paid.n
    where paid.owner = ${wallet} and ${PAID} and tokens.withdrawn_at is null and ${from} and ${behind}
    order by paid.paid_at desc, paid.round_id desc limit ${limit}`.execute(db);
  return rows;
}

export interface DaySpan {
  readonly since: Date;
  /** Newest payouts that are summed: of a wallet with more, the days that they cover whole. */
  readonly mostPayouts: number;
  readonly mostRows: number;
}

/** Sums by UTC day and coin, newest first. */
export async function listDays(
  db: Db,
  wallet: string,
  { since, mostPayouts, mostRows }: DaySpan,
): Promise<WalletDay[]> {
  const { rows } = await sql<WalletDay>`
    with newest as materialized (
      select to_char(paid.paid_at at time zone 'UTC', 'YYYY-MM-DD') as date, round.mint, paid.amount_raw, round.quote_usd
      from ${FROM} where paid.owner = ${wallet} and ${PAID} and tokens.withdrawn_at is null and paid.paid_at >= ${since}
      order by paid.paid_at desc, paid.round_id desc limit ${mostPayouts + 1}
    ), sums as (
      select date, mint, sum(amount_raw)::numeric(39, 0) as amount_raw, count(*)::integer as payouts,
        sum(amount_raw * coalesce(quote_usd, 0)) as worth
      from newest
      where date > (select case when count(*) > ${mostPayouts} then min(date) else '' end from newest)
      group by date, mint order by date desc, mint limit ${mostRows}
    )
    select sums.date, ${COIN}, sums.amount_raw, sums.payouts,
      trim_scale(sums.worth / 10::numeric ^ (select pairs.decimals from pairs where pairs.mint = tokens.quote_mint))::text as value_usd
    from sums join tokens on tokens.mint = sums.mint order by sums.date desc, sums.mint`.execute(db);
  return rows;
}
