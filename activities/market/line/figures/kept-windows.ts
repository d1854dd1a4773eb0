import { BigNumber } from 'bignumber.js';
import type { StoredTail } from '../../../../db/market/market-stream.ts';
import type { NewSwap, TradingWindow } from '../../../../db/market/swaps.ts';
import type { KnownWindows } from '../../figures.ts';

/**
 * Keeps trading windows instead of summing after each swap. Valid while no other writer changes the pool's swaps and
 * no swap leaves the window.
 */
export class KeptWindows implements KnownWindows {
  readonly #windows = new Map<string, TradingWindow>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(mint: string, since: Date): TradingWindow | undefined {
    const window = this.#windows.get(mint);
    return window && (window.oldestAt === null || window.oldestAt > since) ? window : undefined;
  }

  keep(window: TradingWindow): void {
    this.#windows.delete(window.mint);
    this.#windows.set(window.mint, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > this.#most && oldest !== undefined) this.#windows.delete(oldest);
  }

  /** Drops the entry if another writer interfered. */
  extend(mint: string, { swapsVersion, written, added }: StoredTail, given: readonly NewSwap[], since: Date): void {
    const window = this.#windows.get(mint);
    if (!window) return;
    const isAlone = swapsVersion === window.swapsVersion + (given.length > 0 ? 1n : 0n);
    const isNew = written === given.length && added === given.length;
    if (isAlone && isNew && given.every(({ blockTime }) => blockTime > since))
      this.keep(extended(window, given, swapsVersion));
    else this.#windows.delete(mint);
  }
}

function extended(window: TradingWindow, swaps: readonly NewSwap[], swapsVersion: bigint): TradingWindow {
  const times = swaps.map(({ blockTime }) => blockTime.getTime());
  const slots = swaps.map(({ slot }) => slot);
  return {
    ...window,
    swapsVersion,
    volumeUsd: BigNumber.sum(window.volumeUsd, ...swaps.map(({ valueUsd }) => valueUsd ?? 0)).toFixed(),
    oldestAt:
      times.length === 0 ? window.oldestAt : new Date(Math.min(window.oldestAt?.getTime() ?? Infinity, ...times)),
    newestSlot: slots.reduce((newest, slot) => (newest === null || slot > newest ? slot : newest), window.newestSlot),
  };
}
