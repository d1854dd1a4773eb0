import type { TimedTransaction } from '../../../../chain/market/vault-history.ts';
import { PoolTail, type TailStart } from '../../../../domain/market/pool-tail.ts';

export type PoolStep = TimedTransaction & { readonly place: number };

/** Names a transaction with its slot: after a fork it may land again in another one. */
export function keyOf({ signature, slot }: Pick<PoolStep, 'signature' | 'slot'>): string {
  return `${signature}/${slot}`;
}

export type Tail = Omit<PoolTail<PoolStep>, 'add' | 'drop' | 'moveTo'>;

/** A pool's unsettled transactions in the chain's order, and the newest slot in which it changed. */
export class OrderedPool {
  readonly #tail: PoolTail<PoolStep>;
  #changedSlot: number | null;
  #version = 0;

  constructor(start: TailStart, changedSlot: number | null) {
    this.#tail = new PoolTail<PoolStep>(start);
    this.#changedSlot = changedSlot;
  }

  get tail(): Tail {
    return this.#tail;
  }

  /** Null if all is settled. */
  get changedSlot(): number | null {
    return this.#changedSlot;
  }

  /** Grows with every change that must be stored. */
  get version(): number {
    return this.#version;
  }

  take(steps: readonly PoolStep[]): void {
    this.#tail.add(steps);
    this.#changedSlot = steps.reduce((newest, { slot }) => Math.max(newest, slot), this.#changedSlot ?? 0);
    this.#version++;
  }

  /** Takes out what a fork removed. */
  drop(isGone: (slot: number) => boolean): readonly PoolStep[] {
    return this.#tail.drop(({ slot }) => isGone(slot));
  }

  moveTo(start: TailStart): void {
    this.#tail.moveTo(start);
    if (this.#changedSlot !== null && this.#changedSlot <= start.slot) this.#changedSlot = null;
  }

  noteChanged(slot: number): void {
    if (slot > this.#tail.start.slot) this.#changedSlot = Math.max(this.#changedSlot ?? 0, slot);
  }

  /** Has the pool settled although nothing new was found. */
  noteReread(): void {
    this.#changedSlot ??= this.#tail.start.slot;
  }

  noteStale(): void {
    this.#version++;
  }
}
