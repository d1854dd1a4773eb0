/** Most clients remembered at once; the one whose minute began first is forgotten first. */
const REMEMBERED_CLIENTS = 50_000;

interface Window {
  readonly startedMs: number;
  count: number;
}

/** Where a client stands in its window. */
export interface Counted {
  /** Number of this request in the window, from 1. */
  readonly number: number;
  /** How long the window still lasts, ms. */
  readonly remainingMs: number;
}

/** Counts clients' requests in windows of fixed length, each begun by a client's first request. */
export class RequestCounter {
  readonly #windows = new Map<string, Window>();
  readonly #windowMs: number;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Counts a request of a client at a time (Unix ms). */
  count(client: string, nowMs: number): Counted {
    const window = this.#windowOf(client, nowMs);
    window.count += 1;
    return { number: window.count, remainingMs: window.startedMs + this.#windowMs - nowMs };
  }

  #windowOf(client: string, nowMs: number): Window {
    const known = this.#windows.get(client);
    if (known && nowMs < known.startedMs + this.#windowMs) return known;
    const fresh = { startedMs: nowMs, count: 0 };
    // Deleted first, so that the map stays in the order in which windows began.
    this.#windows.delete(client);
    this.#windows.set(client, fresh);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > REMEMBERED_CLIENTS && oldest !== undefined) this.#windows.delete(oldest);
    return fresh;
  }
}
