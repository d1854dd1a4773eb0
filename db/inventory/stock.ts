import { availableRaw, type Stock } from '../../domain/inventory.ts';
import type { TokenBalance } from '../../domain/token-balance.ts';
import type { Db } from '../connect.ts';
import * as pairInventory from './pair-inventory.ts';
import type { InventorySettings } from './pair-inventory.ts';
import { databaseTime, isBeingBought, lockStock, stockBooks, type StockBooks } from './stock-books.ts';

/** Raw units. */
export interface PairStock extends Stock, TokenBalance {
  /** For sale. */
  readonly available: bigint;
  readonly hour: StockBooks['hour'];
}

export interface MarkedStock extends PairStock {
  /** Restock below this. */
  readonly belowRaw: bigint;
  /** Null: no restock. */
  readonly toRaw: bigint | null;
}

/** The treasury's balance, and when its read began by the database's clock. */
export interface BalanceReading {
  readonly balance: TokenBalance;
  readonly readAt: Date;
}

export async function timedBalance(db: Db, balance: () => Promise<TokenBalance>): Promise<BalanceReading> {
  const readAt = await databaseTime(db);
  return { readAt, balance: await balance() };
}

/** For showing and planning: a purchase that settles meanwhile may count as stock. */
export async function stockOf(db: Db, mint: string, balance: () => Promise<TokenBalance>): Promise<PairStock> {
  const reading = await timedBalance(db, balance);
  return stockBy(reading, await stockBooks(db, mint, { balanceReadAt: reading.readAt }));
}

/**
 * For spending. Reads the balance, then whether the token is being bought, then the books: a purchase that the balance
 * includes is either seen in progress or in the books. Null while it is being bought.
 */
export async function spendableStockOf(
  db: Db,
  mint: string,
  balance: () => Promise<TokenBalance>,
): Promise<PairStock | null> {
  return settledStockBy(db, mint, await timedBalance(db, balance));
}

async function settledStockBy(
  db: Db,
  mint: string,
  reading: BalanceReading,
  exceptQuoteId?: string,
): Promise<PairStock | null> {
  if (await isBeingBought(db, mint)) return null;
  const question = { balanceReadAt: reading.readAt, ...(exceptQuoteId !== undefined && { exceptQuoteId }) };
  return stockBy(reading, await stockBooks(db, mint, question));
}

/** Null, without a chain call, when no lower level is set. */
export async function markedStockOf(
  db: Db,
  mint: string,
  balance: () => Promise<TokenBalance>,
): Promise<MarkedStock | null> {
  const { restockBelowRaw: belowRaw, restockToRaw: toRaw }: InventorySettings = await pairInventory.byMint(db, mint);
  return belowRaw === null ? null : { ...(await stockOf(db, mint, balance)), belowRaw, toRaw };
}

/** Maximum age of a reading, ms. Purchases are recorded when final, which takes longer. */
const OLDEST_READING_MS = 10_000;

/**
 * Reads the stock without the launch's own reservation. Others of the pair wait until the transaction ends.
 * @throws when the balance is too old, or the token is being bought to be burned
 */
export async function lockedStockOf(
  tx: Db,
  mint: string,
  exceptQuoteId: string,
  reading: BalanceReading,
): Promise<PairStock> {
  await lockStock(tx, mint);
  const ageMs = (await databaseTime(tx)).getTime() - reading.readAt.getTime();
  if (ageMs > OLDEST_READING_MS) throw new Error(`the balance of ${mint} was read ${ageMs} ms ago: it is read again`);
  const stock = await settledStockBy(tx, mint, reading, exceptQuoteId);
  if (!stock) throw new Error(`${mint} is being bought: what is for sale is known once that is final`);
  return stock;
}

function stockBy({ balance }: BalanceReading, { hour, ...books }: StockBooks): PairStock {
  const stock = { ...balance, ...books };
  return { ...stock, hour, available: availableRaw(stock) };
}
