import { KEPT_SLOTS } from './blocks.ts';

export interface MissingTransaction {
  readonly pool: string;
  readonly slot: number;
  readonly signature: string;
}

interface Missed extends MissingTransaction {
  readonly since: number;
}

/** If an account update stays without its transaction this long, the transaction was lost, ms. */
const MISSED_AFTER_MS = 500;

/** Transactions that accounts name as their writer and that the source did not report. */
export class MissedTransactions {
  readonly #now: () => number;
  /** Signatures that were reported, and pools for which one was read by RPC, by slot. */
  readonly #known = new Map<number, Set<string>>();
  /** By signature. */
  readonly #missed = new Map<string, readonly Missed[]>();

  /** @param now monotonic clock, ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  get all(): readonly MissingTransaction[] {
    return [...this.#missed.values()].flat();
  }

  expect(missing: MissingTransaction): void {
    const known = this.#known.get(missing.slot);
    if (known?.has(missing.signature) === true || known?.has(keyOf(missing)) === true) return;
    const others = (this.#missed.get(missing.signature) ?? []).filter(({ pool }) => pool !== missing.pool);
    this.#missed.set(missing.signature, [...others, { ...missing, since: this.#now() }]);
  }

  noteReported(slot: number, signature: string): void {
    this.#remember(slot, signature);
    this.#missed.delete(signature);
  }

  /** Returns missed transactions, each once. */
  take(): readonly MissingTransaction[] {
    const before = this.#now() - MISSED_AFTER_MS;
    const late = [...this.#missed.values()].flat().filter(({ since }) => since < before);
    for (const missed of late) this.#remember(missed.slot, keyOf(missed));
    this.#forget(({ since }) => since < before);
    return late;
  }

  drop(dead: number): void {
    this.#known.delete(dead);
    this.#forget(({ slot }) => slot === dead);
  }

  prune(finalized: number): void {
    for (const slot of this.#known.keys()) if (slot < finalized - KEPT_SLOTS) this.#known.delete(slot);
  }

  #remember(slot: number, key: string): void {
    this.#known.set(slot, (this.#known.get(slot) ?? new Set()).add(key));
  }

  #forget(isGone: (missed: Missed) => boolean): void {
    for (const [signature, missed] of this.#missed) {
      const kept = missed.filter((one) => !isGone(one));
      if (kept.length === 0) this.#missed.delete(signature);
      else this.#missed.set(signature, kept);
    }
  }
}

function keyOf({ signature, pool }: MissingTransaction): string {
  return `${signature}/${pool}`;
}
