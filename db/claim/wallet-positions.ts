import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** A creator's position that a wallet may hold the Fee Key of. */
export interface WalletPosition {
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly pool: string;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly creator: string;
  readonly createdAt: Date;
  readonly feeKeyMint: string;
  /** Order of the list. */
  readonly listingNumber: bigint;
}

/**
 * Lists positions of standard launches that the wallet created, whose Fee Key the launch gave it, or whose Fee Key it
 * held when it prepared a claim, newest launch first. The chain says who holds the key now.
 */
export async function listPositions(
  db: Db,
  wallet: string,
  before: bigint | null,
  limit: number,
): Promise<WalletPosition[]> {
  const earlier = before === null ? sql`true` : sql`listing_number < ${before}::bigint`;
  const { rows } = await sql<WalletPosition>`
    with created as (
      select mint, listing_number from tokens
      where creator = ${wallet} and mode = 'standard' and withdrawn_at is null and ${earlier}
      order by listing_number desc limit ${limit}
    ), named as (
      select mint, listing_number from tokens
      where fee_recipient = ${wallet} and mode = 'standard' and withdrawn_at is null and ${earlier}
      order by listing_number desc limit ${limit}
    ), received as (
      select mint, listing_number from tokens
      where mint in (select mint from claim_intents where wallet = ${wallet} and holds_fee_key)
        and mode = 'standard' and withdrawn_at is null and ${earlier}
      order by listing_number desc limit ${limit}
    )
    select tokens.mint, tokens.name, tokens.symbol, tokens.pool, tokens.quote_mint, tokens.quote_symbol, tokens.creator,
      tokens.created_at, listed.listing_number, positions.fee_key_mint
    from (select * from created union select * from named union select * from received) as listed
    join tokens on tokens.mint = listed.mint
    join positions on positions.mint = listed.mint and positions.holder = 'creator'
    order by listed.listing_number desc limit ${limit}`.execute(db);
  return rows;
}

export async function countPositions(db: Db, wallet: string, before: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from tokens
    where mode = 'standard' and withdrawn_at is null and listing_number < ${before}::bigint and mint in (
      select mint from tokens where creator = ${wallet} and mode = 'standard' and withdrawn_at is null
      union select mint from tokens where fee_recipient = ${wallet} and mode = 'standard' and withdrawn_at is null
      union select mint from claim_intents where wallet = ${wallet} and holds_fee_key
    )`.execute(db);
  return rows[0]?.count ?? 0;
}
