import { sql } from 'kysely';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';

/** What the holders of a reward coin got in all. */
export interface RewardTotals {
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly mode: LaunchMode;
  readonly rewardTaxBps: number | null;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
  /** Raw quote units and USD at the time of payment. */
  readonly paidRaw: bigint;
  readonly paidUsd: string;
  readonly transactions: number;
  readonly rounds: number;
  readonly lastPaidAt: Date | null;
}

/** A transaction that paid holders. */
export interface Distribution {
  readonly signature: string;
  readonly mint: string;
  readonly symbol: string;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
  readonly paidRaw: bigint;
  readonly valueUsd: string | null;
  readonly recipients: number;
  readonly slot: bigint;
  readonly landedAt: Date;
}

/** All reward coins together. */
export interface RewardOverview {
  readonly coins: number;
  readonly transactions: number;
  readonly paidUsd: string;
}

/** Totals of one token, hidden or not; null where it is unknown or withdrawn. Zeros before the first payout. */
export async function findRewardTotals(db: Db, mint: string): Promise<RewardTotals | null> {
  const { rows } = await sql<RewardTotals>`
    ${totals} from tokens left join reward_tokens on reward_tokens.mint = tokens.mint
    where tokens.mint = ${mint} and tokens.withdrawn_at is null`.execute(db);
  return rows[0] ?? null;
}

/** The reward coins whose holders got most, by USD. Hidden tokens are left out. */
export async function listRewardTotals(db: Db, limit: number): Promise<RewardTotals[]> {
  const { rows } = await sql<RewardTotals>`
    ${totals} from reward_tokens join tokens on tokens.mint = reward_tokens.mint
    where reward_tokens.transactions > 0 and tokens.withdrawn_at is null and not tokens.hidden
    order by reward_tokens.paid_usd desc, reward_tokens.mint limit ${limit}`.execute(db);
  return rows;
}

/** Looked up row by row: a join would let the planner begin with the pairs instead of the order that is asked for. */
const quoteDecimals = sql`(select pairs.decimals from pairs where pairs.mint = tokens.quote_mint)`;

const totals = sql`
  select tokens.mint, tokens.name, tokens.symbol, tokens.mode, tokens.reward_tax_bps, tokens.quote_mint,
    tokens.quote_symbol, ${quoteDecimals} as quote_decimals, coalesce(paid_raw, 0)::numeric(39, 0) as paid_raw,
    coalesce(paid_usd, 0)::numeric(50, 10) as paid_usd, coalesce(transactions, 0) as transactions,
    coalesce(rounds, 0) as rounds, last_paid_at`;

/** Transactions that paid holders, newest first. Hidden tokens are left out. */
export async function listDistributions(db: Db, limit: number): Promise<Distribution[]> {
  const { rows } = await sql<Distribution>`
    select signature, tokens.mint, tokens.symbol, tokens.quote_mint, tokens.quote_symbol,
      ${quoteDecimals} as quote_decimals, paid_raw, value_usd, recipients, slot, landed_at
    from reward_transactions as moved join tokens on tokens.mint = moved.mint
    where moved.state = 'done' and moved.kind = 'payout' and tokens.withdrawn_at is null and not tokens.hidden
    order by moved.landed_at desc, moved.signature limit ${limit}`.execute(db);
  return rows;
}

/** Sums over all reward coins that are shown. */
export async function rewardOverview(db: Db): Promise<RewardOverview> {
  const { rows } = await sql<{ coins: bigint; transactions: bigint | null; paidUsd: string | null }>`
    select count(*) as coins, sum(transactions) as transactions, sum(paid_usd)::numeric(50, 10) as paid_usd
    from reward_tokens join tokens on tokens.mint = reward_tokens.mint
    where transactions > 0 and tokens.withdrawn_at is null and not tokens.hidden`.execute(db);
  const [row] = rows;
  return { coins: Number(row?.coins ?? 0), transactions: Number(row?.transactions ?? 0), paidUsd: row?.paidUsd ?? '0' };
}
