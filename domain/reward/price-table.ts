import type { LoggedPrice } from '../proof/sealed-log.ts';
import { type SpendableUsd, tabledUsd } from '../trading/spendable-price.ts';

/** A sealed log, by whose prices a round may be planned. */
export interface PriceTable {
  readonly number: number;
  /** Hex. */
  readonly root: string;
  /** Of its seal, which is final. */
  readonly sealSlot: bigint;
  readonly prices: readonly LoggedPrice[];
}

/** An observation: its drawn block, and the answers that its balances are from. */
export interface ObservedAt {
  readonly slot: bigint;
  readonly answerSlots: readonly bigint[];
}

/** The live prices of a plan, with the mints that a table names them by. USD for a whole token. */
export interface LivePrices {
  readonly quoteMint: string;
  readonly quoteUsd: SpendableUsd;
  readonly solMint: string;
  readonly solUsd: SpendableUsd;
}

export interface TabledPrices {
  readonly quoteUsd: SpendableUsd;
  readonly solUsd: SpendableUsd;
  /** Of the quote token's price. */
  readonly priceSource: string;
  readonly pricedAt: Date;
}

/** Slots after which a table is too old: two hours. */
const TABLE_SLOTS = 18_000n;

/** Returns the first slot of which a balance of the observation can be: a table is sealed before it. */
export function readFrom({ slot, answerSlots }: ObservedAt): bigint {
  return answerSlots.reduce((first, answer) => (answer < first ? answer : first), slot);
}

/**
 * Returns the prices of a table that was sealed before slot `from`, the first of the round's last observation. Null
 * where it is too old, lacks a token, or is too far from a live price.
 */
export function tabledPrices(table: PriceTable, from: bigint, live: LivePrices): TabledPrices | null {
  if (from - table.sealSlot > TABLE_SLOTS) return null;
  const priceOf = (mint: string) => table.prices.find((price) => price.mint === mint);
  const [quote, sol] = [priceOf(live.quoteMint), priceOf(live.solMint)];
  const quoteUsd = quote && tabledUsd(quote.usd, live.quoteUsd);
  const solUsd = sol && tabledUsd(sol.usd, live.solUsd);
  if (!quote || !quoteUsd || !solUsd) return null;
  return { quoteUsd, solUsd, priceSource: quote.source, pricedAt: new Date(quote.at) };
}
