import type { MarketDeps } from '../deps.ts';
import { createQuotePrices, type QuotePrices } from '../quote-prices.ts';

/** Prices are asked for again after this time, while those of before still serve; and they serve no longer than that, ms. */
const RENEWED_AFTER_MS = 8_000;
const KEPT_MS = 10_000;
/** A token that nothing was priced in for so long is not asked for any more, ms. */
const WANTED_MS = 30_000;

/** Prices of quote tokens, asked for again now and then, so that nobody waits for those that are in use. */
export class KeptPrices {
  readonly #deps: MarketDeps;
  readonly #wantedAt = new Map<string, number>();
  #prices: QuotePrices;
  #at = Number.NEGATIVE_INFINITY;
  #isRenewing = false;

  constructor(deps: MarketDeps) {
    this.#deps = deps;
    this.#prices = createQuotePrices(deps);
  }

  get now(): QuotePrices {
    return this.#prices;
  }

  /** Something is about to be priced in these tokens. */
  want(quoteMints: readonly string[]): void {
    const now = performance.now();
    for (const mint of quoteMints) this.#wantedAt.set(mint, now);
    const age = now - this.#at;
    if (age > KEPT_MS) [this.#prices, this.#at] = [createQuotePrices(this.#deps), now];
    else if (age > RENEWED_AFTER_MS && !this.#isRenewing) void this.#renew();
  }

  async #renew(): Promise<void> {
    this.#isRenewing = true;
    const begun = performance.now();
    for (const [mint, at] of this.#wantedAt) if (at < begun - WANTED_MS) this.#wantedAt.delete(mint);
    const prices = createQuotePrices(this.#deps);
    try {
      await prices.ask([...this.#wantedAt.keys()]);
      [this.#prices, this.#at] = [prices, begun];
    } catch (error) {
      // Who prices something next asks again, and hears of it.
      this.#deps.logger.warn({ err: error }, 'prices of quote tokens could not be asked for');
    } finally {
      this.#isRenewing = false;
    }
  }
}
