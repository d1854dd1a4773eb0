import type { SubscribeUpdateValue } from '../../../chain/stream/yellowstone/messages.ts';

export type UpdateKind = 'transaction' | 'account' | 'slot' | 'blockMeta';

export class StreamFaults {
  readonly #onCut: () => void;
  readonly #now: () => number;
  readonly #drops = new Map<UpdateKind, number>();
  #cutUntil = 0;
  lagMs = 0;
  /** Null: no limit. */
  replayFrom: number | null = null;

  /**
   * @param onCut ends all streams
   * @param now Unix ms
   */
  constructor(onCut: () => void, now: () => number) {
    this.#onCut = onCut;
    this.#now = now;
  }

  cut(ms = Number.POSITIVE_INFINITY): void {
    this.#cutUntil = this.#now() + ms;
    this.#onCut();
  }

  get isCut(): boolean {
    return this.#now() < this.#cutUntil;
  }

  drop(kind: UpdateKind, count: number): void {
    this.#drops.set(kind, count);
  }

  loses(update: SubscribeUpdateValue): boolean {
    const kind = (['transaction', 'account', 'slot', 'blockMeta'] as const).find((name) => update[name] !== null);
    const left = kind === undefined ? 0 : (this.#drops.get(kind) ?? 0);
    if (kind === undefined || left === 0) return false;
    this.#drops.set(kind, left - 1);
    return true;
  }

  clear(): void {
    this.#cutUntil = 0;
    this.#drops.clear();
    this.lagMs = 0;
    this.replayFrom = null;
  }
}
