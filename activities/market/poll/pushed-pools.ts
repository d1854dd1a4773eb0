import { pause } from '../../../domain/pause.ts';

/** Changes within this time share one poll. */
const GATHER_MS = 100;

/** Maximum number of waiting pools. With more, the poll of all pools is as fast. */
const MOST_WAITING = 1_000;

/** Keeps a poll short. */
const POOLS_PER_TAKE = 100;

export class PushedPools {
  readonly #waiting = new Set<string>();
  #wake: (() => void) | null = null;

  add(pool: string): void {
    if (this.#waiting.size >= MOST_WAITING) return;
    this.#waiting.add(pool);
    this.#wake?.();
  }

  /** Waits for the next pools and gathers those that follow closely. Returns an empty list once `signal` aborts. */
  async take(signal: AbortSignal): Promise<string[]> {
    if (this.#waiting.size === 0) await this.#untilWoken(signal);
    if (!(await pause(GATHER_MS, signal))) return [];
    const taken = [...this.#waiting].slice(0, POOLS_PER_TAKE);
    for (const pool of taken) this.#waiting.delete(pool);
    return taken;
  }

  async #untilWoken(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#wake = wake;
    signal.addEventListener('abort', wake, { once: true });
    try {
      await promise;
    } finally {
      this.#wake = null;
      signal.removeEventListener('abort', wake);
    }
  }
}
