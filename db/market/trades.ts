import { sql } from 'kysely';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';
import type { SwapSide } from '../schema/market.ts';
import { bytesOf, SIGNATURE_BYTES, signedBy } from './swap-bytes.ts';

/** A token whose trades are read, with what its amounts are counted in. */
export interface TradedToken {
  readonly mint: string;
  readonly pool: string;
  /** What its swaps are found by. */
  readonly poolNumber: number;
  readonly creator: string;
  readonly decimals: number;
  readonly mode: LaunchMode;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  /** Decimals of the quote token. */
  readonly quoteDecimals: number;
  /** The wallet its launch was made from; null for a token that was not launched here. */
  readonly launchWallet: string | null;
}

/** A swap as the public reads it. */
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

/** Where in the trades of a token a page ended: the last one on it. Its fields are the order of the chain. */
export type TradeMark = Pick<Trade, 'slot' | 'slotOrder' | 'signature' | 'index'>;

/** The token of a mint, hidden or not; null where it is unknown or withdrawn. */
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

/**
 * Trades of a token, newest first, those after `mark` when it is given. A page is stable: what is newer does not move it.
 * What was removed with its month is not among them.
 */
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
