import { parseUnits } from '../../domain/amounts.ts';
import type { PriceReader } from './price-source.ts';

/** A table of prices set by hand, by mint, in USD per whole token. The database keeps it where processes share it. */
export interface PriceTable {
  get(mint: string): Promise<string | null>;
  set(mint: string, usd: string): Promise<void>;
}

/** Most fraction digits of a USD price that is set by hand. */
const USD_DECIMALS = 20;

/** Reads prices from the table. Such a price holds until it is set anew, so it is never too old. */
export function fixedPriceReader(table: PriceTable, now: () => Date): PriceReader {
  return async (mint) => {
    const usd = await table.get(mint);
    if (usd === null) throw new Error(`no price is set for ${mint}`);
    return { usd, observedAt: now(), confidenceBps: 0 };
  };
}

/** A table in memory, from mints to USD prices. `set` throws a RangeError on anything but a positive plain decimal. */
export function createPriceTable(prices: Readonly<Record<string, string>>): PriceTable {
  const table = new Map<string, string>();
  const set = (mint: string, usd: string): void => {
    table.set(mint, checkedUsd(usd));
  };
  Object.entries(prices).forEach(([mint, usd]) => set(mint, usd));
  return { get: async (mint) => table.get(mint) ?? null, set: async (mint, usd) => set(mint, usd) };
}

/** Returns a USD price set by hand as it is. Throws a RangeError unless it is a positive plain decimal. */
export function checkedUsd(usd: string): string {
  if (parseUnits(usd, USD_DECIMALS) === 0n) throw new RangeError(`a price is greater than zero, got "${usd}"`);
  return usd;
}
