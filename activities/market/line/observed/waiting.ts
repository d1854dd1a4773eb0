import type { StreamEvent } from '../../../../chain/stream/chain-stream.ts';
import { type Blocks, KEPT_SLOTS } from './blocks.ts';

type TransactionEvent = Extract<StreamEvent, { kind: 'transaction' }>;

/** A transaction of a source, with its block's time: what the line observes. */
export interface ReceivedTransaction {
  readonly event: TransactionEvent;
  /** Pools whose base vault the transaction names. */
  readonly pools: readonly string[];
  /** Unix seconds. */
  readonly blockTime: number;
}

interface Waiting extends Omit<ReceivedTransaction, 'blockTime'> {
  readonly since: number;
}

/** A block that is this late was lost, ms. */
const UNTIMED_AFTER_MS = 3_000;
const LONGEST_PAUSE_MS = 60_000;

/** Transactions that wait for the time of their block. */
export class WaitingTransactions {
  readonly #blocks: Blocks;
  readonly #now: () => number;
  /** Slots whose time RPC was asked for. */
  readonly #asked = new Map<number, { readonly at: number; readonly pauseMs: number }>();
  #waiting: Waiting[] = [];
  #lost = new Map<string, number>();

  /** @param now monotonic clock, ms */
  constructor(blocks: Blocks, now: () => number) {
    this.#blocks = blocks;
    this.#now = now;
  }

  get all(): readonly Omit<ReceivedTransaction, 'blockTime'>[] {
    return this.#waiting;
  }

  add(event: TransactionEvent, pools: readonly string[]): void {
    this.#waiting.push({ event, pools: [...new Set(pools)], since: this.#now() });
  }

  takeReady(): ReceivedTransaction[] {
    const timed = this.#waiting.map((waiting) => ({ ...waiting, blockTime: this.#blocks.timeOf(waiting.event.slot) }));
    this.#waiting = timed.filter(({ blockTime }) => blockTime === null);
    return timed.flatMap(({ event, pools, blockTime }) => (blockTime === null ? [] : [{ event, pools, blockTime }]));
  }

  /** Returns slots whose time RPC must be asked for, each less and less often. */
  untimed(): number[] {
    const now = this.#now();
    const late = this.#waiting.filter(({ since }) => since < now - UNTIMED_AFTER_MS).map(({ event }) => event.slot);
    const slots = new Set(late.filter((slot) => this.#blocks.timeOf(slot) === null));
    for (const slot of this.#asked.keys()) if (!slots.has(slot)) this.#asked.delete(slot);
    const due = [...slots].filter((slot) => (this.#asked.get(slot)?.at ?? 0) <= now);
    for (const slot of due) {
      const pauseMs = Math.min(2 * (this.#asked.get(slot)?.pauseMs ?? UNTIMED_AFTER_MS / 2), LONGEST_PAUSE_MS);
      this.#asked.set(slot, { at: now + pauseMs, pauseMs });
    }
    return due;
  }

  /** Returns pools of transactions whose block a fork removed, or never came, with the newest slot of each. */
  takeLost(): ReadonlyMap<string, number> {
    const oldest = this.#blocks.finalized - KEPT_SLOTS;
    this.#lose((slot) => this.#blocks.timeOf(slot) === null && (this.#blocks.fateOf(slot) === 'gone' || slot < oldest));
    const taken = this.#lost;
    this.#lost = new Map();
    return taken;
  }

  drop(dead: number): void {
    this.#lose((slot) => slot === dead);
  }

  #lose(isLost: (slot: number) => boolean): void {
    for (const { event, pools } of this.#waiting.filter((waiting) => isLost(waiting.event.slot))) {
      for (const pool of pools) this.#lost.set(pool, Math.max(this.#lost.get(pool) ?? 0, event.slot));
    }
    this.#waiting = this.#waiting.filter(({ event }) => !isLost(event.slot));
  }
}
