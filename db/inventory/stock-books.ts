import { sql } from 'kysely';
import type { HourOfSales, Stock } from '../../domain/inventory.ts';
import type { Db } from '../connect.ts';

/** All of the stock but the balance, which only the chain knows. */
export interface StockBooks extends Omit<Stock, 'spendableRaw'> {
  readonly hour: HourOfSales;
}

export interface BooksQuestion {
  /** By the database's clock. Launches completed since count as reserved: the balance may include their tokens. */
  readonly balanceReadAt: Date;
  /** The calling launch. */
  readonly exceptQuoteId?: string;
}

/** Returns the database's time; it times launches too. */
export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database did not tell its time');
  return row.now;
}

/**
 * Locks the pair's stock until the transaction ends: two launches cannot both count on the last tokens, or the rest of
 * the hour. The launch must be in `preparing` at commit.
 */
export async function lockStock(tx: Db, quoteMint: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`dev-buy/${quoteMint}`}, 0))`.execute(tx);
}

/** Sum of the upper limits of dev buys, raw. */
const TAKEN = sql`coalesce(sum((terms -> 'devBuy' ->> 'maxQuoteRaw')::numeric(39, 0)), 0)`;

/** Sums the books in one statement: each launch is in exactly one sum. */
export async function stockBooks(db: Db, mint: string, question: BooksQuestion): Promise<StockBooks> {
  const { balanceReadAt, exceptQuoteId = null } = question;
  const { rows } = await sql<Omit<StockBooks, 'hour'> & Omit<HourOfSales, 'boundRaw'> & { hourRaw: bigint | null }>`
    with sales as (
      select quote_mint, terms, true as is_open, null::timestamptz as completed_at from launches
      where quote_mint = ${mint} and quote_id is distinct from ${exceptQuoteId}::uuid and state in ('preparing', 'landing', 'resuming', 'recording')
        and terms ->> 'devBuy' is not null
      union all
      select quote_mint, terms, false, completed_at from launches
      where quote_mint = ${mint} and quote_id is distinct from ${exceptQuoteId}::uuid and state in ('completed', 'finalized')
        and terms ->> 'devBuy' is not null
        and completed_at > least(clock_timestamp() - interval '1 hour', ${balanceReadAt}::timestamptz)
    )
    select pairs.decimals, coalesce(inventory.reserve_raw, 0)::numeric(39, 0) as reserve_raw, inventory.hour_raw,
      (select ${TAKEN}::numeric(39, 0) from sales where is_open or completed_at >= ${balanceReadAt}::timestamptz) as reserved_raw,
      (select ${TAKEN}::numeric(39, 0) from sales where is_open or completed_at > clock_timestamp() - interval '1 hour') as sold_raw,
      (select coalesce(sum(greatest(allocated_raw - spent_raw, 0)), 0)::numeric(39, 0)
        from buyback_budgets as budget where budget.quote_mint = pairs.mint) as set_aside_raw,
      (select coalesce(sum(bought_raw), 0)::numeric(39, 0) from buyback_rounds
        where buyback_rounds.mint = pairs.mint and state = 'bought') as to_burn_raw,
      greatest(
        (select max(usd) from price_observations where mint = pairs.mint and is_sample and observed_at > clock_timestamp() - interval '1 day'),
        (select usd from price_observations where mint = pairs.mint and is_sample order by observed_at desc, id desc limit 1)
      ) as highest_usd
    from pairs left join pair_inventory as inventory on inventory.mint = pairs.mint where pairs.mint = ${mint}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error(`quote token ${mint} is not listed`);
  const { reservedRaw, reserveRaw, setAsideRaw, toBurnRaw, hourRaw: boundRaw, soldRaw, highestUsd, decimals } = row;
  return { reservedRaw, reserveRaw, setAsideRaw, toBurnRaw, hour: { soldRaw, boundRaw, highestUsd, decimals } };
}

/**
 * True while a purchase of this token may have landed that is not recorded: how much of the balance it brought, to be
 * burned, is unknown then. A purchase whose transactions have all ended brought nothing, also while its step is open.
 */
export async function isBeingBought(db: Db, mint: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from buyback_rounds as round join lane_steps as step on step.purpose = 'buyback/' || round.id || '/swap'
      where round.mint = ${mint} and round.state = 'planned' and (step.state = 'done' or exists (
        select from chain_transactions as version
        where version.lane = step.lane and version.step_number = step.number and version.step_to = step.to_value
          and version.status not in ('dead', 'abandoned') and not version.error_finalized))
    ) as found`.execute(db);
  return rows[0]?.found === true;
}

/** True while a signed purchase of this token may land, or has and is not recorded. The API's role may read it. */
export async function isPurchaseSigned(db: Db, mint: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from buyback_rounds as round join chain_transactions as version on version.purpose = 'buyback/' || round.id || '/swap'
      where round.mint = ${mint} and round.state = 'planned'
        and version.status not in ('dead', 'abandoned') and not version.error_finalized
    ) as found`.execute(db);
  return rows[0]?.found === true;
}
