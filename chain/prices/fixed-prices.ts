import type { PriceReader } from './price-source.ts';

/** Reads USD per whole token; null if not set. */
export type FixedUsd = (mint: string) => Promise<string | null>;

/** Reads prices that are valid until set again. */
export function fixedPriceReader(usdOf: FixedUsd, now: () => Date): PriceReader {
  return async (mint) => {
    const usd = await usdOf(mint);
    if (usd === null) throw new Error(`no price is set for ${mint}`);
    return { usd, observedAt: now(), confidenceBps: 0 };
  };
}
