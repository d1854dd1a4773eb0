/** Tokens that revenue buys. */

import { type Selectable, sql } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import type { FlywheelTokenTable } from '../schema/buyback.ts';

export type FlywheelToken = Selectable<FlywheelTokenTable>;

export interface RankedToken extends FlywheelToken {
  readonly symbol: string;
  readonly quoteMint: string;
  /** Own harvests' shares minus purchases, raw quote units; may be negative. */
  readonly ownRaw: bigint;
}

export interface FlywheelRule {
  readonly since: Date;
  readonly tokens: number;
}

/**
 * Ranks tokens by their harvests' revenue; returns how many. Skips hidden ones: the platform buys nothing that it does
 * not show.
 */
export function rank(db: Db, { since, tokens }: FlywheelRule): Promise<number> {
  return transaction(db, async (tx) => {
    await tx.deleteFrom('flywheelTokens').execute();
    const { rows } = await sql`
      insert into flywheel_tokens (mint, rank, revenue_usd)
      select mint, row_number() over (order by revenue_usd desc, mint), revenue_usd
      from (
        select h.mint, sum(h.value_usd) as revenue_usd
        from fee_harvests h join tokens t on t.mint = h.mint
        where h.harvested_at >= ${since} and t.withdrawn_at is null and not t.hidden
        group by h.mint having sum(h.value_usd) > 0
        order by revenue_usd desc, h.mint limit ${tokens}
      ) as best
      returning mint`.execute(tx);
    return rows.length;
  });
}

const ownRaw = sql<bigint>`(
  select coalesce(sum(floor(quote_raw * flywheel_bps / 10000)), 0) from fee_harvests
  where fee_harvests.mint = tokens.mint and fee_harvests.quote_mint = tokens.quote_mint
)::numeric(39, 0) - (
  select coalesce(sum(spent_raw), 0) from buyback_rounds
  where buyback_rounds.kind = 'flywheel' and buyback_rounds.mint = tokens.mint
)::numeric(39, 0)`;

/** Lists ranked tokens, best first. */
export function list(db: Db): Promise<RankedToken[]> {
  return db
    .selectFrom('flywheelTokens')
    .innerJoin('tokens', 'tokens.mint', 'flywheelTokens.mint')
    .selectAll('flywheelTokens')
    .select(['tokens.symbol', 'tokens.quoteMint'])
    .select(ownRaw.as('ownRaw'))
    .where('tokens.withdrawnAt', 'is', null)
    .orderBy('rank')
    .execute();
}
