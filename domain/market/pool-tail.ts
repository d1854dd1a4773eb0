import { linkAsFarAsPossible, type VaultStep } from './vault-chain.ts';

export interface TailStep extends VaultStep {
  readonly signature: string;
  readonly place: number;
}

export interface TailStart {
  readonly slot: number;
  readonly raw: bigint;
}

/**
 * A pool's unsettled transactions. Linked ones begin with the previous balance; before a loose one a transaction is
 * missing.
 */
export class PoolTail<Step extends TailStep> {
  #start: TailStart;
  #linked: readonly Step[] = [];
  #loose: readonly Step[] = [];

  constructor(start: TailStart) {
    this.#start = start;
  }

  get start(): TailStart {
    return this.#start;
  }

  get linked(): readonly Step[] {
    return this.#linked;
  }

  get loose(): readonly Step[] {
    return this.#loose;
  }

  get steps(): readonly Step[] {
    return [...this.#linked, ...this.#loose];
  }

  /** Balance of the base vault after the linked transactions up to a slot; without one, after all. */
  rawAt(slot = Infinity): bigint {
    return this.#linked.findLast((step) => step.slot <= slot)?.after ?? this.#start.raw;
  }

  get isEmpty(): boolean {
    return this.#linked.length + this.#loose.length === 0;
  }

  /** @param slot where it must have landed; default: anywhere */
  has(signature: string, slot?: number): boolean {
    return this.steps.some((step) => step.signature === signature && step.slot === (slot ?? step.slot));
  }

  /** Adds steps. One that landed again in another slot replaces the old one. */
  add(steps: readonly Step[]): void {
    const kept = new Map(this.steps.map((step) => [step.signature, step]));
    for (const step of steps) {
      const known = kept.get(step.signature);
      if (known === undefined || known.slot !== step.slot) kept.set(step.signature, step);
    }
    this.#link([...kept.values()]);
  }

  drop(isGone: (step: Step) => boolean): readonly Step[] {
    const all = this.steps;
    const gone = all.filter(isGone);
    if (gone.length > 0) this.#link(all.filter((step) => !gone.includes(step)));
    return gone;
  }

  moveTo(start: TailStart): void {
    this.#start = start;
    this.#link(this.steps);
  }

  #link(steps: readonly Step[]): void {
    const open = steps.filter(({ slot }) => slot > this.#start.slot);
    open.sort((one, other) => one.slot - other.slot || one.place - other.place);
    const { steps: linked, rest } = linkAsFarAsPossible(open, this.#start.raw);
    this.#linked = linked;
    this.#loose = rest;
  }
}
