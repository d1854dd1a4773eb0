import { BigNumber } from 'bignumber.js';
import { sql } from 'kysely';
import type { Db } from '../connect.ts';

export interface ShownBuyback {
  readonly signature: string;
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
  readonly spentRaw: bigint;
  readonly boughtRaw: bigint;
  /** At planning. */
  readonly quoteUsd: string | null;
  readonly burnSignature: string | null;
  readonly boughtAt: Date;
}

export interface BuybackTotals {
  readonly buybacks: number;
  /** Count as zero in `spentUsd`. */
  readonly unpriced: number;
  /** At planning, exact decimal. */
  readonly spentUsd: string;
  /** Exact decimal. */
  readonly boughtTokens: string;
  readonly lastBoughtAt: Date | null;
}

/** A purchase recovered after a restore has at least its plan's time. */
const boughtAt = sql<Date>`coalesce(swap.landed_at, round.settled_at, round.planned_at)`;

/** Purchases with a final swap. */
const purchases = sql`
  buyback_rounds as round
  join tokens on tokens.mint = round.mint
  join pairs on pairs.mint = round.quote_mint
  left join chain_transactions as swap on swap.signature = round.signature
  where round.kind = 'buyback' and round.state <> 'planned'`;

/** Newest first. */
export async function listBuybacks(db: Db, limit: number): Promise<ShownBuyback[]> {
  const { rows } = await sql<ShownBuyback>`
    select bought.*, burn.signature as burn_signature from (
      select round.id, round.signature, round.mint, tokens.symbol, tokens.decimals, round.quote_mint,
        pairs.symbol as quote_symbol, pairs.decimals as quote_decimals, round.spent_raw, round.bought_raw,
        round.quote_usd, ${boughtAt} as bought_at
      from ${purchases} order by round.planned_at desc, round.id desc limit ${limit}
    ) as bought
    left join chain_transactions as burn on burn.purpose = 'buyback/' || bought.id || '/burn/1' and burn.status = 'finalized'
    order by bought.bought_at desc, bought.id desc`.execute(db);
  return rows;
}

export async function buybackTotals(db: Db): Promise<BuybackTotals> {
  const { rows } = await sql<BuybackSums>`
    select tokens.decimals, pairs.decimals as quote_decimals, count(*)::integer as buybacks,
      count(*) filter (where round.quote_usd is null)::integer as unpriced,
      trim_scale(coalesce(sum(round.spent_raw * round.quote_usd), 0))::text as spent_times_price,
      sum(round.bought_raw)::numeric(39, 0) as bought_raw, max(${boughtAt}) as last_bought_at
    from ${purchases} group by tokens.decimals, pairs.decimals`.execute(db);
  return rows.reduce(add, { buybacks: 0, unpriced: 0, spentUsd: '0', boughtTokens: '0', lastBoughtAt: null });
}

export interface SpentDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** At planning, exact decimal. */
  readonly spentUsd: string;
}

/** Sums what purchases of the platform token paid by UTC day, oldest first. */
export async function spentDays(db: Db): Promise<SpentDay[]> {
  const { rows } = await sql<SpentDay>`
    select to_char(${boughtAt} at time zone 'UTC', 'YYYY-MM-DD') as day,
      trim_scale(coalesce(sum(round.spent_raw * round.quote_usd * ('1e-' || pairs.decimals)::numeric), 0))::text as spent_usd
    from ${purchases} group by 1 order by 1`.execute(db);
  return rows;
}

/** Sums the amounts spent, at the prices of planning, exact decimal. Reads kept sums. */
export async function buybackSpentUsd(db: Db): Promise<string> {
  const { rows } = await sql<Pick<BuybackSums, 'quoteDecimals' | 'spentTimesPrice'>>`
    select pairs.decimals as quote_decimals, trim_scale(sum(spent_times_price))::text as spent_times_price
    from buyback_sums join pairs on pairs.mint = buyback_sums.quote_mint
    where kind = 'buyback' group by pairs.decimals`.execute(db);
  return BigNumber.sum(0, ...rows.map(spentUsdOf)).toFixed();
}

function spentUsdOf({ quoteDecimals, spentTimesPrice }: Pick<BuybackSums, 'quoteDecimals' | 'spentTimesPrice'>) {
  return new BigNumber(spentTimesPrice).shiftedBy(-quoteDecimals);
}

interface BuybackSums {
  readonly decimals: number;
  readonly quoteDecimals: number;
  readonly buybacks: number;
  readonly unpriced: number;
  readonly spentTimesPrice: string;
  readonly boughtRaw: bigint;
  readonly lastBoughtAt: Date;
}

function add(totals: BuybackTotals, sums: BuybackSums): BuybackTotals {
  const bought = new BigNumber(sums.boughtRaw.toString()).shiftedBy(-sums.decimals);
  const isLater = totals.lastBoughtAt === null || sums.lastBoughtAt > totals.lastBoughtAt;
  return {
    buybacks: totals.buybacks + sums.buybacks,
    unpriced: totals.unpriced + sums.unpriced,
    spentUsd: spentUsdOf(sums).plus(totals.spentUsd).toFixed(),
    boughtTokens: bought.plus(totals.boughtTokens).toFixed(),
    lastBoughtAt: isLater ? sums.lastBoughtAt : totals.lastBoughtAt,
  };
}
