import { type FastifyRateLimitStore } from '@fastify/rate-limit';

/** Most clients remembered at once; the one whose minute began first is forgotten first. */
const REMEMBERED_CLIENTS = 50_000;

interface Window {
  readonly startedMs: number;
  count: number;
}

/**
 * Counts a client's requests in windows of fixed length. The plugin's own store hands every caller the same counter object,
 * which has moved on when the caller reads it: of several requests at once all would see the last one's count and be refused.
 */
export class RequestCounter implements FastifyRateLimitStore {
  readonly #windows = new Map<string, Window>();

  /** Counts a request and answers its number in the window, and how long the window still lasts (ms). */
  incr(
    key: string,
    callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
    windowMs: number,
  ): void {
    const nowMs = Date.now();
    const window = this.#windowOf(key, nowMs, windowMs);
    window.count += 1;
    callback(null, { current: window.count, ttl: window.startedMs + windowMs - nowMs });
  }

  /** A store of its own for another limiter. */
  child(): RequestCounter {
    return new RequestCounter();
  }

  #windowOf(key: string, nowMs: number, windowMs: number): Window {
    const known = this.#windows.get(key);
    if (known && nowMs < known.startedMs + windowMs) return known;
    const fresh = { startedMs: nowMs, count: 0 };
    // Deleted first, so that the map stays in the order in which windows began.
    this.#windows.delete(key);
    this.#windows.set(key, fresh);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > REMEMBERED_CLIENTS && oldest !== undefined) this.#windows.delete(oldest);
    return fresh;
  }
}
