import type { PriceReader } from './price-source.ts';

/** Price set by hand, in USD per whole token; null where none is set. */
export type FixedUsd = (mint: string) => Promise<string | null>;

/** Reads prices that were set by hand. Such a price holds until it is set anew, so it is never too old. */
export function fixedPriceReader(usdOf: FixedUsd, now: () => Date): PriceReader {
  return async (mint) => {
    const usd = await usdOf(mint);
    if (usd === null) throw new Error(`no price is set for ${mint}`);
    return { usd, observedAt: now(), confidenceBps: 0 };
  };
}
