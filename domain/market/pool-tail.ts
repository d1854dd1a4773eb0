import { linkAsFarAsPossible, type VaultStep } from './vault-chain.ts';

/** A transaction of a pool as it lies in the chain. */
export interface TailStep extends VaultStep {
  readonly signature: string;
  /** Place in its block. */
  readonly place: number;
}

/** Where the settled history of a pool ends. */
export interface TailStart {
  readonly slot: number;
  /** What the base vault held after that slot, raw units. */
  readonly raw: bigint;
}

/**
 * What happened to a pool after its settled history: transactions that link, each to the balance that the one before it left, and
 * others that do not because something between is missing.
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

  /** Empty where nothing is missing. */
  get loose(): readonly Step[] {
    return this.#loose;
  }

  /** All of them. */
  get steps(): readonly Step[] {
    return [...this.#linked, ...this.#loose];
  }

  /** What the base vault holds after all that links. */
  get end(): bigint {
    return this.#linked.at(-1)?.after ?? this.#start.raw;
  }

  /** What it held after a slot. */
  rawAt(slot: number): bigint {
    return this.#linked.findLast((step) => step.slot <= slot)?.after ?? this.#start.raw;
  }

  get isEmpty(): boolean {
    return this.#linked.length + this.#loose.length === 0;
  }

  has(signature: string): boolean {
    return this.steps.some((step) => step.signature === signature);
  }

  /** Takes steps in that are not known yet. One that lands again in another slot is there and not here. */
  add(steps: readonly Step[]): void {
    const kept = new Map(this.steps.map((step) => [step.signature, step]));
    for (const step of steps) {
      const known = kept.get(step.signature);
      if (known === undefined || known.slot !== step.slot) kept.set(step.signature, step);
    }
    this.#link([...kept.values()]);
  }

  /** Gives steps up, those in a slot that died among them. Answers which they were. */
  drop(isGone: (step: Step) => boolean): readonly Step[] {
    const all = this.steps;
    const gone = all.filter(isGone);
    if (gone.length > 0) this.#link(all.filter((step) => !gone.includes(step)));
    return gone;
  }

  /** Begins where the settled history ends now. */
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
