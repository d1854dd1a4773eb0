import { sql } from 'kysely';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';
import type { SwapSide } from '../schema/market.ts';
import { bytesOf, SIGNATURE_BYTES, signedBy } from './swap-bytes.ts';

export interface TradedToken {
  readonly mint: string;
  readonly pool: string;
  readonly poolNumber: number;
  readonly creator: string;
  readonly decimals: number;
  readonly mode: LaunchMode;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
  /** Null if launched elsewhere. */
  readonly launchWallet: string | null;
}

export interface Trade {
  readonly signature: string;
  readonly index: number;
  readonly slot: bigint;
  readonly slotOrder: number;
  readonly blockTime: Date;
  readonly side: SwapSide;
  readonly wallet: string;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly priceQuote: string;
  readonly priceUsd: string | null;
  readonly valueUsd: string | null;
  readonly finalized: boolean;
}

/** Last trade of a page. */
export type TradeMark = Pick<Trade, 'slot' | 'slotOrder' | 'signature' | 'index'>;

/** Finds a token, also a hidden one; null if unknown or withdrawn. */
export async function findTradedToken(db: Db, mint: string): Promise<TradedToken | null> {
  const row = await db
    .selectFrom('tokens')
    .innerJoin('pairs', 'pairs.mint', 'tokens.quoteMint')
    .innerJoin('poolCursors', 'poolCursors.mint', 'tokens.mint')
    .leftJoin('launchAddresses', 'launchAddresses.mint', 'tokens.mint')
    .select([
      'tokens.mint',
      'tokens.pool',
      'creator',
      'tokens.decimals',
      'mode',
      'quoteMint',
      'quoteSymbol',
      'launchWallet',
    ])
    .select(['pairs.decimals as quoteDecimals', 'poolCursors.number as poolNumber'])
    .where('tokens.mint', '=', mint)
    .where('withdrawnAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Lists trades after `mark`, so that new trades do not shift pages. Skips removed months. */
export async function listTrades(db: Db, poolNumber: number, mark: TradeMark | null, limit: number): Promise<Trade[]> {
  const after = mark
    ? sql`and (slot, slot_order, signature_bytes, index) < (${mark.slot}::bigint, ${mark.slotOrder}::integer,
        ${bytesOf(mark.signature, SIGNATURE_BYTES)}::bytea, ${mark.index}::integer)`
    : sql``;
  const { rows } = await sql<Omit<Trade, 'signature' | 'wallet'> & { signatureBytes: Buffer; walletBytes: Buffer }>`
    select signature_bytes, index, slot, slot_order, block_time, side, wallet_bytes, base_raw, quote_raw, price_quote, price_usd,
      value_usd, finalized
    from swaps where pool_number = ${poolNumber} and month > 0 ${after}
    order by slot desc, slot_order desc, signature_bytes desc, index desc limit ${limit}`.execute(db);
  return rows.map((row) => signedBy(row));
}
