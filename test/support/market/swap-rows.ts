import bs58 from 'bs58';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import type { SwapSide } from '../../../db/schema/market.ts';
import { address, signature } from '../launch/launch-rows.ts';

/** A made-up swap. */
interface SwapRow {
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
  readonly quoteUsd: string | null;
  /** Where it is, the pool's cursor has come to its slot. */
  readonly finalized: boolean;
}

/** By what the stored swaps of a token are found. */
export function poolNumberOf(mint: string): RawBuilder<number> {
  return sql`(select number from pool_cursors where mint = ${mint})`;
}

/** Writes swaps of a token, one slot after the other where none is given; answers their signatures. */
export async function insertSwaps(db: Db, mint: string, swaps: readonly Partial<SwapRow>[]): Promise<string[]> {
  const rows: SwapRow[] = swaps.map((swap, index) => ({
    signature: signature(),
    index: 0,
    slot: 2_000n + BigInt(index),
    slotOrder: 0,
    blockTime: new Date(Date.UTC(2026, 10, 21, 14, 0, index)),
    side: 'buy',
    wallet: address(),
    baseRaw: 1_000_000_000n,
    quoteRaw: 5_000n,
    priceQuote: '0.000005',
    finalized: true,
    quoteUsd: '1',
    ...swap,
  }));
  const stored = rows.map((row) => ({
    slot: row.slot,
    slotOrder: row.slotOrder,
    blockTime: row.blockTime,
    poolNumber: poolNumberOf(mint),
    index: row.index,
    month: sql<number>`swap_month(${row.blockTime}::timestamptz)`,
    isBuy: row.side === 'buy',
    signature: Buffer.from(bs58.decode(row.signature)),
    wallet: Buffer.from(bs58.decode(row.wallet)),
    baseRaw: row.baseRaw,
    quoteRaw: row.quoteRaw,
    priceQuote: row.priceQuote,
    quoteUsd: row.quoteUsd,
  }));
  await db.insertInto('marketSwaps').values(stored).execute();
  const settled = rows.filter(({ finalized }) => finalized).map(({ slot }) => slot);
  for (const slot of settled) {
    const finalizedSlot = sql<bigint>`greatest(finalized_slot, ${slot}::bigint)`;
    await db.updateTable('poolCursors').set({ finalizedSlot }).where('mint', '=', mint).execute();
  }
  return rows.map((row) => row.signature);
}

/** Removes the stored swaps of a token, as if they had never been seen. */
export async function deleteSwaps(db: Db, mint: string): Promise<void> {
  await db.deleteFrom('marketSwaps').where('poolNumber', '=', poolNumberOf(mint)).execute();
}
