import { sql } from 'kysely';
import { priceInUsd, worthUsd } from '../../domain/pool-price.ts';
import type { Db } from '../connect.ts';
import type { SwapSide } from '../schema/market.ts';
import { bytesOf, SIGNATURE_BYTES, signed, WALLET_BYTES } from './swap-bytes.ts';
import type { Trade, TradeMark } from './trades.ts';

export type WalletTrade = Omit<Trade, 'wallet'> & TradedCoin;

interface TradedCoin {
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
}

type Row = Omit<WalletTrade, 'signature' | 'priceUsd' | 'valueUsd' | 'side'> & {
  readonly signatureBytes: Buffer;
  readonly isBuy: boolean;
  readonly quoteUsd: string | null;
};

/** Lists a wallet's trades after `after`, newest first. Skips removed months. */
export async function listWalletTrades(
  db: Db,
  wallet: string,
  after: TradeMark | null,
  limit: number,
): Promise<WalletTrade[]> {
  const key = bytesOf(wallet, WALLET_BYTES);
  const behind = after
    ? sql`swap.slot <= ${after.slot}::bigint and (swap.slot, swap.slot_order, swap.signature, swap.index) < (${after.slot}::bigint,
        ${after.slotOrder}::integer, ${bytesOf(after.signature, SIGNATURE_BYTES)}::bytea, ${after.index}::integer)`
    : sql`true`;
  const { rows } = await sql<Row>`
    select swap.signature as signature_bytes, swap.index::integer as index, swap.slot, swap.slot_order, swap.block_time, swap.is_buy,
      swap.base_raw, swap.quote_raw, swap.price_quote, swap.quote_usd, swap.slot <= cursor.finalized_slot as finalized,
      tokens.mint, tokens.symbol, tokens.decimals, tokens.quote_mint, tokens.quote_symbol,
      (select pairs.decimals from pairs where pairs.mint = tokens.quote_mint) as quote_decimals
    from market_swaps as swap join pool_cursors as cursor on cursor.number = swap.pool_number
    join tokens on tokens.mint = cursor.mint
    where substring(swap.wallet for 8) = substring(${key}::bytea for 8) and swap.wallet = ${key}::bytea and swap.month > 0
      and tokens.withdrawn_at is null and ${behind}
    order by swap.slot desc, swap.slot_order desc, swap.signature desc, swap.index desc limit ${limit}`.execute(db);
  return rows.map(tradeOf);
}

function tradeOf({ isBuy, quoteUsd, ...row }: Row): WalletTrade {
  const side: SwapSide = isBuy ? 'buy' : 'sell';
  return {
    ...signed(row),
    side,
    priceUsd: quoteUsd === null ? null : priceInUsd(row.priceQuote, quoteUsd),
    valueUsd: quoteUsd === null ? null : worthUsd(row.quoteRaw, row.quoteDecimals, quoteUsd),
  };
}
