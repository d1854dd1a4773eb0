import { type HourOfSales, leftOfHourRaw } from '../inventory.ts';

export interface DevBuyStock {
  /** For sale. */
  readonly available: bigint;
  readonly hour: HourOfSales;
}

/** Text for dev buys while the treasury has no spendable price. */
export function unsteadyText(symbol: string): string {
  return `dev buys with ${symbol} are not possible while its price, or that of SOL, is not steady; launch without one, or try again later`;
}

/**
 * Tells the creator why the treasury does not sell so many (raw); undefined if it does.
 * @param hourUsd hourly limit of a pair, exact decimal
 */
export function devBuyObstacle(
  stock: DevBuyStock,
  neededRaw: bigint,
  symbol: string,
  hourUsd: string,
): string | undefined {
  if (stock.available < neededRaw) return `dev buys with ${symbol} are out of stock at the moment`;
  if (leftOfHourRaw(stock.hour, hourUsd) >= neededRaw) return undefined;
  return `dev buys with ${symbol} have taken what they may take within an hour; launch without one, or try again later`;
}

export function resumeObstacle(available: bigint, neededRaw: bigint, symbol: string): string | undefined {
  if (available >= neededRaw) return undefined;
  return `its dev buy takes ${neededRaw} raw units of ${symbol}, and ${available} are for sale; restock and resume again, or refund`;
}
