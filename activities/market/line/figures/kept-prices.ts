import type { MarketDeps } from '../../deps.ts';
import { createQuotePrices, type QuotePrices } from '../../quote-prices.ts';

/** Age at which prices are renewed, ms. */
const RENEWED_AFTER_MS = 8_000;
const KEPT_MS = 10_000;
/** Time after which idle tokens are no longer refreshed, ms. */
const WANTED_MS = 30_000;

export class KeptPrices {
  readonly #deps: MarketDeps;
  readonly #now: () => number;
  readonly #wantedAt = new Map<string, number>();
  #prices: QuotePrices;
  #at = Number.NEGATIVE_INFINITY;
  #isRenewing = false;

  /** @param now monotonic clock, ms */
  constructor(deps: MarketDeps, now: () => number) {
    this.#deps = deps;
    this.#now = now;
    this.#prices = createQuotePrices(deps);
  }

  get now(): QuotePrices {
    return this.#prices;
  }

  want(quoteMints: readonly string[]): void {
    const now = this.#now();
    for (const mint of quoteMints) this.#wantedAt.set(mint, now);
    const age = now - this.#at;
    if (age > KEPT_MS) [this.#prices, this.#at] = [createQuotePrices(this.#deps), now];
    else if (age > RENEWED_AFTER_MS && !this.#isRenewing) void this.#renew();
  }

  async #renew(): Promise<void> {
    this.#isRenewing = true;
    const begun = this.#now();
    for (const [mint, at] of this.#wantedAt) if (at < begun - WANTED_MS) this.#wantedAt.delete(mint);
    const prices = createQuotePrices(this.#deps);
    try {
      await prices.ask([...this.#wantedAt.keys()]);
      [this.#prices, this.#at] = [prices, begun];
    } catch (error) {
      // The next pricing fetches again and gets the error.
      this.#deps.logger.warn({ err: error }, 'prices of quote tokens could not be asked for');
    } finally {
      this.#isRenewing = false;
    }
  }
}
