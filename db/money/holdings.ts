/**
 * Due by the records: open work, and work ended within a day, without amounts that a movement in
 * flight is about to change.
 */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Minimum, raw. */
export interface Holding {
  /** Mint or quote id. */
  readonly id: string;
  /** base58 */
  readonly owner: string;
  readonly mint: string;
  readonly leastRaw: bigint;
}

export type OwnHolding = Omit<Holding, 'owner'>;

export async function pots(db: Db): Promise<Holding[]> {
  const { rows } = await sql<{ id: string; owner: string; quoteMint: string; baseRaw: bigint; quoteRaw: bigint }>`
    with active as (
      select mint from reward_rounds where state <> 'done'
      union select mint from reward_rounds where ended_at > now() - interval '1 day'
    )
    select reward_tokens.mint as id, pot as owner, tokens.quote_mint, pot_sums.base_raw, pot_sums.quote_raw
    from active join reward_tokens on reward_tokens.mint = active.mint join tokens on tokens.mint = active.mint
    join pot_sums on pot_sums.mint = active.mint
    where not exists (
      select from reward_rounds join reward_transactions on round_id = id
      join lane_steps on purpose = 'reward/' || id || '/' || n
      where reward_rounds.mint = reward_tokens.mint and reward_rounds.state <> 'done'
        and reward_transactions.state = 'planned' and lane_steps.state <> 'void'
    )`.execute(db);
  return rows.flatMap(({ id, owner, quoteMint, baseRaw, quoteRaw }) => [
    { id, owner, mint: id, leastRaw: baseRaw },
    { id, owner, mint: quoteMint, leastRaw: quoteRaw },
  ]);
}

export async function setAside(db: Db): Promise<OwnHolding[]> {
  const { rows } = await sql<OwnHolding>`
    select quote_mint as id, quote_mint as mint, sum(greatest(0, allocated_raw - spent_raw))::numeric(39, 0) as least_raw
    from buyback_budgets
    where not exists (
      select from buyback_rounds join lane_steps on purpose = 'buyback/' || id || '/swap'
      where buyback_rounds.quote_mint = buyback_budgets.quote_mint and buyback_rounds.state = 'planned'
        and lane_steps.state <> 'void'
    )
    group by quote_mint`.execute(db);
  return rows;
}

export async function boughtToBurn(db: Db): Promise<OwnHolding[]> {
  const { rows } = await sql<OwnHolding>`
    select mint as id, mint, sum(bought_raw)::numeric(39, 0) as least_raw from buyback_rounds
    where state = 'bought' group by mint
    having not bool_or(exists (
      select from lane_steps where purpose = 'buyback/' || id || '/burn/1' and lane_steps.state <> 'void'
    ))`.execute(db);
  return rows;
}

export async function harvestedToBurn(db: Db): Promise<OwnHolding[]> {
  const { rows } = await sql<OwnHolding>`
    select mint as id, mint, base_raw as least_raw from fee_sweeps join fee_harvests using (mint, number)
    where state = 'harvested' and base_raw > 0 and not exists (
      select from lane_steps where purpose = 'fee-sweep/' || mint || '/' || number || '/burn' and lane_steps.state <> 'void'
    )`.execute(db);
  return rows;
}

export async function undelivered(db: Db): Promise<Holding[]> {
  const { rows } = await sql<Holding>`
    select quote_id as id, terms->'addresses'->>'launchWallet' as owner, airdrops.mint,
      coalesce(sum(amount_raw), 0)::numeric(39, 0) as least_raw
    from airdrops join launches using (quote_id) join airdrop_batches using (quote_id)
    join airdrop_shares using (quote_id, batch)
    where airdrops.delivered_at is null and launches.state = 'finalized' and airdrop_batches.delivered_at is null
      and not exists (
        select from airdrop_batches as open
        join lane_steps on purpose = 'airdrop/' || open.quote_id || '/' || open.batch
        where open.quote_id = airdrops.quote_id and open.delivered_at is null and lane_steps.state <> 'void'
      )
    group by quote_id, terms, airdrops.mint`.execute(db);
  return rows;
}

export interface BurnedToken {
  readonly mint: string;
  readonly burnedRaw: bigint;
}

/** Lists tokens burned within the last day, with the sum of all burns. */
export async function burned(db: Db): Promise<BurnedToken[]> {
  const { rows } = await sql<BurnedToken>`
    select mint, sum(amount_raw)::numeric(39, 0) as burned_raw from burn_sums join tokens using (mint)
    where mint in (select mint from burn_sums where last_burned_at > now() - interval '1 day')
    group by mint`.execute(db);
  return rows;
}

export interface UnbookedMovement {
  readonly purpose: string;
  readonly signature: string;
}

export async function unbooked(db: Db, afterSeconds: number): Promise<UnbookedMovement[]> {
  const { rows } = await sql<UnbookedMovement>`
    with open as (
      select 'reward/' || round_id || '/' || n as purpose from reward_transactions where state = 'planned'
      union all select 'fee-sweep/' || mint || '/' || number from fee_sweeps where state = 'planned'
      union all select 'fee-sweep/' || mint || '/' || number || '/burn' from fee_sweeps where state = 'harvested'
      union all select 'buyback/' || id || '/swap' from buyback_rounds where state = 'planned'
      union all select 'buyback/' || id || '/burn/1' from buyback_rounds where state = 'bought'
      union all select 'restock/' || id from restock_rounds where state = 'open'
      union all select 'refund/' || quote_id from launches where state = 'refunding'
      union all select 'airdrop/' || quote_id || '/' || batch from airdrop_batches where delivered_at is null
      union all select 'airdrop/' || quote_id || '/seal' from airdrops where seal_signature is null and delivered_at is null
      union all select 'log/' || number from sealed_logs where seal_signature is null
    )
    select lane_steps.purpose, lane_steps.signature from open join lane_steps using (purpose)
    where lane_steps.state = 'done' and settled_at < now() - make_interval(secs => ${afterSeconds})`.execute(db);
  return rows;
}
