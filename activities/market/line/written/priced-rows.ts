import type { NewSwap, SwapRecord } from '../../../../db/market/swaps.ts';
import { keyOf, type PoolStep } from '../ordered/ordered-pool.ts';

/** The rows of a pool's unsettled transactions, and provisional rows that an earlier process stored. */
export class PricedRows {
  /** By `keyOf`. */
  readonly #rows = new Map<string, NewSwap[]>();
  #inherited: readonly SwapRecord[];

  constructor(inherited: readonly SwapRecord[]) {
    this.#inherited = inherited;
  }

  get inherited(): readonly SwapRecord[] {
    return this.#inherited;
  }

  /** All, as stored ones, whose prices stay. */
  get known(): readonly SwapRecord[] {
    return [...asRecords([...this.#rows.values()].flat()), ...this.#inherited];
  }

  has(step: PoolStep): boolean {
    return this.#rows.has(keyOf(step));
  }

  of(steps: readonly PoolStep[]): readonly NewSwap[] {
    return steps.flatMap((step) => this.#rows.get(keyOf(step)) ?? []);
  }

  /** Replaces the rows of these transactions. */
  replace(steps: readonly PoolStep[], rows: readonly NewSwap[]): void {
    const found = Map.groupBy(rows, ({ signature, slot }) => keyOf({ signature, slot: Number(slot) }));
    for (const step of steps) this.#rows.set(keyOf(step), found.get(keyOf(step)) ?? []);
  }

  /** Forgets rows without a price: it may be known now. Returns whether there were any. */
  forgetUnpriced(): boolean {
    const unpriced = [...this.#rows].filter(([, found]) => found.some(({ quoteUsd }) => quoteUsd === null));
    for (const [key] of unpriced) this.#rows.delete(key);
    return unpriced.length > 0;
  }

  /** Takes out the rows of transactions that a fork removed. */
  drop(steps: readonly PoolStep[], isGone: (slot: number) => boolean): readonly SwapRecord[] {
    const lost = this.#inherited.filter(({ slot }) => isGone(Number(slot)));
    const signatures = new Set(lost.map(({ signature }) => signature));
    const dropped = [...lost, ...asRecords(this.of(steps))];
    this.#inherited = this.#inherited.filter(({ signature }) => !signatures.has(signature));
    for (const step of steps) this.#rows.delete(keyOf(step));
    return dropped;
  }

  forgetInherited(): void {
    this.#inherited = [];
  }

  /** Keeps the rows of these transactions, and inherited ones after the slot. */
  keep(steps: readonly PoolStep[], settledSlot: number): void {
    const kept = new Set(steps.map(keyOf));
    for (const key of this.#rows.keys()) if (!kept.has(key)) this.#rows.delete(key);
    this.#inherited = this.#inherited.filter(({ slot }) => slot > BigInt(settledSlot));
  }
}

function asRecords(rows: readonly NewSwap[]): SwapRecord[] {
  return rows.map((row) => ({ ...row, finalized: false }));
}
