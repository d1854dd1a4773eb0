import { availableRaw, type Stock } from '../../domain/inventory.ts';
import type { Db } from '../connect.ts';
import { reservedDevBuys } from './dev-buy-reservations.ts';
import * as pairInventory from './pair-inventory.ts';
import type { InventorySettings } from './pair-inventory.ts';

/** Quote tokens of a pair in the treasury, raw units. */
export interface PairStock extends Stock {
  /** What a new dev buy can count on. */
  readonly available: bigint;
  readonly settings: InventorySettings;
}

/** The same of a pair that has a mark, with the mark. */
export interface MarkedStock extends PairStock {
  readonly belowRaw: bigint;
}

/** What the treasury's balance of a pair, which only the chain tells, leaves for dev buys. */
export async function stockOf(db: Db, mint: string, balance: () => Promise<bigint>): Promise<PairStock> {
  return withSettings(db, mint, balance, await pairInventory.byMint(db, mint));
}

/** The same; null, and nothing asked of the chain, where no mark says how few are too few. */
export async function markedStockOf(db: Db, mint: string, balance: () => Promise<bigint>): Promise<MarkedStock | null> {
  const settings = await pairInventory.byMint(db, mint);
  const { restockBelowRaw: belowRaw } = settings;
  if (belowRaw === null) return null;
  return { ...(await withSettings(db, mint, balance, settings)), belowRaw };
}

async function withSettings(
  db: Db,
  mint: string,
  balance: () => Promise<bigint>,
  settings: InventorySettings,
): Promise<PairStock> {
  const [balanceRaw, reservedRaw] = await Promise.all([balance(), reservedDevBuys(db, mint)]);
  const { reserveRaw } = settings;
  const stock = { balanceRaw, reservedRaw, reserveRaw };
  return { ...stock, settings, available: availableRaw(stock) };
}
