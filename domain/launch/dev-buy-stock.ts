import { type HourOfSales, leftOfHourRaw } from '../inventory.ts';
import { type BalanceState, isHeldBack } from '../token-balance.ts';

export interface DevBuyStock {
  /** Of the treasury's account. */
  readonly state: BalanceState;
  /** For sale. */
  readonly available: bigint;
  readonly hour: HourOfSales;
}

/** Text for dev buys while the treasury has no spendable price. */
export function unsteadyText(symbol: string): string {
  return `dev buys with ${symbol} are not possible while its price, or that of SOL, is not steady; launch without one, or try again later`;
}

/** Why the treasury does not sell now, for the creator, and when asking again can help. */
export interface StockObstacle {
  readonly text: string;
  readonly retryAfterSeconds: number;
}

/** A restock takes minutes; a frozen account waits for the token's issuer, and the hour for earlier sales to leave it. */
const RETRY_AFTER_SECONDS = { outOfStock: 300, frozen: 1_800, hour: 600 };

/**
 * Returns why the treasury does not sell so many (raw); undefined if it does.
 * @param hourUsd hourly limit of a pair, exact decimal
 */
export function devBuyObstacle(
  stock: DevBuyStock,
  neededRaw: bigint,
  symbol: string,
  hourUsd: string,
): StockObstacle | undefined {
  const refused = (reason: keyof typeof RETRY_AFTER_SECONDS, what: string): StockObstacle => {
    const text = `dev buys with ${symbol} ${what}; launch without one, or try again later`;
    return { text, retryAfterSeconds: RETRY_AFTER_SECONDS[reason] };
  };
  if (isHeldBack(stock.state))
    return refused('frozen', 'are not possible: its issuer has frozen the treasury’s account');
  if (stock.available < neededRaw) return refused('outOfStock', 'are out of stock at the moment');
  if (leftOfHourRaw(stock.hour, hourUsd) >= neededRaw) return undefined;
  return refused('hour', 'have taken what they may take within an hour');
}

export function resumeObstacle(
  { state, available }: Pick<DevBuyStock, 'state' | 'available'>,
  neededRaw: bigint,
  symbol: string,
): string | undefined {
  if (isHeldBack(state))
    return `its dev buy takes ${symbol}, whose issuer has frozen the treasury’s account; have it thawed and resume again, or refund`;
  if (available >= neededRaw) return undefined;
  return `its dev buy takes ${neededRaw} raw units of ${symbol}, and ${available} are for sale; restock and resume again, or refund`;
}
