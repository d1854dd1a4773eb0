import type { SubscribeUpdateValue } from '../../../chain/stream/yellowstone/messages.ts';

/** Kinds of updates that can be lost. */
export type UpdateKind = 'transaction' | 'account' | 'slot' | 'blockMeta';

/** What tests and the local desk can make the stream do. Faults last until they are cleared. */
export class StreamFaults {
  readonly #onCut: () => void;
  readonly #now: () => number;
  readonly #drops = new Map<UpdateKind, number>();
  #cutUntil = 0;
  /** Time by which every update is late, ms. */
  lagMs = 0;
  /** Oldest slot that can be replayed; null: as far back as there is something. */
  replayFrom: number | null = null;

  /** @param onCut ends all streams; @param now Unix time in ms */
  constructor(onCut: () => void, now: () => number) {
    this.#onCut = onCut;
    this.#now = now;
  }

  /** Ends every stream, and takes no other for so long; without a time until it is cleared. */
  cut(ms = Number.POSITIVE_INFINITY): void {
    this.#cutUntil = this.#now() + ms;
    this.#onCut();
  }

  get isCut(): boolean {
    return this.#now() < this.#cutUntil;
  }

  /** Loses the next updates of a kind, whoever they are for. */
  drop(kind: UpdateKind, count: number): void {
    this.#drops.set(kind, count);
  }

  /** Whether this update is lost; counts it. */
  loses(update: SubscribeUpdateValue): boolean {
    const kind = (['transaction', 'account', 'slot', 'blockMeta'] as const).find((name) => update[name] !== null);
    const left = kind === undefined ? 0 : (this.#drops.get(kind) ?? 0);
    if (kind === undefined || left === 0) return false;
    this.#drops.set(kind, left - 1);
    return true;
  }

  /** Switches all of them off. */
  clear(): void {
    this.#cutUntil = 0;
    this.#drops.clear();
    this.lagMs = 0;
    this.replayFrom = null;
  }
}
