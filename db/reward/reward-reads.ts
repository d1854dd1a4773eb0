import { sql } from 'kysely';
import type { LaunchMode, RewardTaxBps } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';

export interface RewardTotals {
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly mode: LaunchMode;
  readonly rewardTaxBps: RewardTaxBps | null;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
  /** Raw quote units, and USD at payment. */
  readonly paidRaw: bigint;
  readonly paidUsd: string;
  readonly transactions: number;
  readonly rounds: number;
  /** Over all transactions. */
  readonly payouts: number;
  /** Ever paid. */
  readonly holders: number;
  readonly lastPaidAt: Date | null;
}

export interface TokenRewards extends RewardTotals {
  /** Raw quote units. */
  readonly undistributedRaw: bigint;
  readonly decimals: number;
  /** Collected tax, not sold. */
  readonly unsoldRaw: bigint;
  /** USD, exact decimal; null while unknown. */
  readonly priceUsd: string | null;
}

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

/** Finds a token's totals, hidden or not; null if unknown or withdrawn. */
export async function findRewardTotals(db: Db, mint: string): Promise<TokenRewards | null> {
  const { rows } = await sql<TokenRewards>`
    ${totals}, tokens.decimals, greatest(0, pot_sums.quote_raw)::numeric(39, 0) as undistributed_raw,
      greatest(0, pot_sums.base_raw)::numeric(39, 0) as unsold_raw, trim_scale(price_usd)::text as price_usd
    from tokens left join reward_tokens on reward_tokens.mint = tokens.mint
    left join token_markets on token_markets.mint = tokens.mint
    left join pot_sums on pot_sums.mint = tokens.mint
    where tokens.mint = ${mint} and tokens.withdrawn_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Lists tokens that have paid, most quote tokens first, without hidden ones. */
export async function listRewardTotals(db: Db, since: Date | null): Promise<RewardTotals[]> {
  const { rows } = await sql<RewardTotals>`
    ${totals} from reward_tokens join tokens on tokens.mint = reward_tokens.mint
    where reward_tokens.transactions > 0 and tokens.withdrawn_at is null and not tokens.hidden
      and ${since === null ? sql`true` : sql`reward_tokens.last_paid_at >= ${since}`}
    order by paid_raw / 10::numeric ^ ${quoteDecimals} desc, reward_tokens.mint`.execute(db);
  return rows;
}

/** A subquery per row: with a join the planner might start with the pairs. */
const quoteDecimals = sql`(select pairs.decimals from pairs where pairs.mint = tokens.quote_mint)`;

const totals = sql`
  select tokens.mint, tokens.name, tokens.symbol, tokens.mode, tokens.reward_tax_bps, tokens.quote_mint,
    tokens.quote_symbol, ${quoteDecimals} as quote_decimals, coalesce(paid_raw, 0)::numeric(39, 0) as paid_raw,
    coalesce(paid_usd, 0)::numeric(50, 10) as paid_usd, coalesce(transactions, 0) as transactions,
    coalesce(rounds, 0) as rounds, coalesce(payouts, 0) as payouts, coalesce(reward_tokens.holders, 0) as holders, last_paid_at`;

/** Last row of a page. */
export type DistributionMark = Pick<Distribution, 'landedAt' | 'signature'>;

/** Filters; several are combined. */
export interface DistributionFilter {
  /** Inclusive. */
  readonly since: Date | null;
  /** In the list's order. */
  readonly after: DistributionMark | null;
}

/** Newest first, without hidden tokens. */
export async function listDistributions(
  db: Db,
  { since, after }: DistributionFilter,
  limit: number,
): Promise<Distribution[]> {
  const { rows } = await sql<Distribution>`
    select signature, tokens.mint, tokens.symbol, tokens.quote_mint, tokens.quote_symbol,
      ${quoteDecimals} as quote_decimals, paid_raw, value_usd, recipients, slot, landed_at
    from reward_transactions as moved join tokens on tokens.mint = moved.mint
    where moved.state = 'done' and moved.kind = 'payout' and moved.paid_raw > 0 and tokens.withdrawn_at is null and not tokens.hidden
      and ${since === null ? sql`true` : sql`moved.landed_at >= ${since}`} and ${after === null ? sql`true` : isAfter(after)}
    order by moved.landed_at desc, moved.signature limit ${limit}`.execute(db);
  return rows;
}

/** The first comparison lets the index scan start there. */
function isAfter({ landedAt, signature }: DistributionMark) {
  return sql`moved.landed_at <= ${landedAt} and (moved.landed_at < ${landedAt} or moved.signature > ${signature})`;
}
