import { sql } from 'kysely';
import type { LaunchMode, RewardTaxBps } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';

/** What the holders of a reward coin got in all. */
export interface RewardTotals {
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly mode: LaunchMode;
  readonly rewardTaxBps: RewardTaxBps | null;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
  /** Raw quote units and USD at the time of payment. */
  readonly paidRaw: bigint;
  readonly paidUsd: string;
  readonly transactions: number;
  readonly rounds: number;
  /** Payments to wallets, summed over transactions. */
  readonly payouts: number;
  /** Wallets that were ever paid. */
  readonly holders: number;
  readonly lastPaidAt: Date | null;
}

/** What the holders of one token got, and what waits in its pot for the next round, raw quote units. */
export type TokenRewards = RewardTotals & { readonly undistributedRaw: bigint };

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

/** Totals of one token, hidden or not; null where it is unknown or withdrawn. Zeros before the first payout. */
export async function findRewardTotals(db: Db, mint: string): Promise<TokenRewards | null> {
  const { rows } = await sql<TokenRewards>`
    ${totals}, (
      select greatest(0, coalesce(sum(quote_raw), 0))::numeric(39, 0) from reward_transactions
      where reward_transactions.mint = tokens.mint and state = 'done'
    ) as undistributed_raw
    from tokens left join reward_tokens on reward_tokens.mint = tokens.mint
    where tokens.mint = ${mint} and tokens.withdrawn_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Every reward coin that has paid, from the most quote tokens down. Hidden tokens are left out. */
export async function listRewardTotals(db: Db): Promise<RewardTotals[]> {
  const { rows } = await sql<RewardTotals>`
    ${totals} from reward_tokens join tokens on tokens.mint = reward_tokens.mint
    where reward_tokens.transactions > 0 and tokens.withdrawn_at is null and not tokens.hidden
    order by paid_raw / 10::numeric ^ ${quoteDecimals} desc, reward_tokens.mint`.execute(db);
  return rows;
}

/** Looked up row by row: a join would let the planner begin with the pairs instead of the order that is asked for. */
const quoteDecimals = sql`(select pairs.decimals from pairs where pairs.mint = tokens.quote_mint)`;

const totals = sql`
  select tokens.mint, tokens.name, tokens.symbol, tokens.mode, tokens.reward_tax_bps, tokens.quote_mint,
    tokens.quote_symbol, ${quoteDecimals} as quote_decimals, coalesce(paid_raw, 0)::numeric(39, 0) as paid_raw,
    coalesce(paid_usd, 0)::numeric(50, 10) as paid_usd, coalesce(transactions, 0) as transactions,
    coalesce(rounds, 0) as rounds, coalesce(payouts, 0) as payouts, coalesce(holders, 0) as holders, last_paid_at`;

/** Transactions that paid holders, newest first. Hidden tokens are left out. */
export async function listDistributions(db: Db, limit: number): Promise<Distribution[]> {
  const { rows } = await sql<Distribution>`
    select signature, tokens.mint, tokens.symbol, tokens.quote_mint, tokens.quote_symbol,
      ${quoteDecimals} as quote_decimals, paid_raw, value_usd, recipients, slot, landed_at
    from reward_transactions as moved join tokens on tokens.mint = moved.mint
    where moved.state = 'done' and moved.kind = 'payout' and moved.paid_raw > 0 and tokens.withdrawn_at is null and not tokens.hidden
    order by moved.landed_at desc, moved.signature limit ${limit}`.execute(db);
  return rows;
}
