import { sql } from 'kysely';
import type { Db } from '../connect.ts';

export interface WalletClaim {
  readonly intentId: string;
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
  /** Raw units as announced at prepare. */
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly state: 'relayed' | 'finalized';
  readonly signature: string;
  readonly slot: bigint | null;
  readonly issuedAt: Date;
  /** When the platform saw that it landed. */
  readonly paidAt: Date | null;
  /** Price of the token when it landed, in quote tokens; null while a fork is being resolved. */
  readonly priceQuote: string | null;
}

/** Lists confirmed and final claims of a wallet, newest first; `after`: id of the last claim of the page before. */
export async function listClaims(db: Db, wallet: string, after: string | null, limit: number): Promise<WalletClaim[]> {
  const last = sql`(select issued_at from claim_intents where intent_id = ${after}::uuid)`;
  // By the stored time: a cursor would round it to milliseconds, and skip claims.
  const behind =
    after === null
      ? sql`true`
      : sql`claimed.issued_at <= ${last} and (claimed.issued_at, claimed.intent_id) < (${last}, ${after}::uuid)`;
  const { rows } = await sql<WalletClaim>`
    select claimed.intent_id, claimed.base_raw, claimed.quote_raw, claimed.state, claimed.signature, claimed.slot,
      claimed.issued_at, claimed.relayed_at as paid_at, tokens.mint, tokens.symbol, tokens.decimals, tokens.quote_mint, tokens.quote_symbol,
      (select pairs.decimals from pairs where pairs.mint = tokens.quote_mint) as quote_decimals,
      (select swap.price_quote from market_swaps as swap join pool_cursors as cursor on cursor.number = swap.pool_number
        where cursor.mint = tokens.mint and swap.slot <= claimed.slot
        order by swap.slot desc, swap.slot_order desc limit 1) as price_quote
    from claim_intents as claimed join tokens on tokens.mint = claimed.mint
    where claimed.wallet = ${wallet} and claimed.state in ('relayed', 'finalized') and tokens.withdrawn_at is null and ${behind}
    order by claimed.issued_at desc, claimed.intent_id desc limit ${limit}`.execute(db);
  return rows;
}
