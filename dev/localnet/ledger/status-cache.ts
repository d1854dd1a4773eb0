import type { TransactionError } from '../engine/transaction-error.ts';

/** Where and how a transaction landed. */
export interface LandedStatus {
  readonly slot: number;
  readonly err: TransactionError | null;
}

/**
 * Transactions of the recent slots, by signature and by message. The message decides what is a duplicate: signed a
 * second time it has other signatures that are just as valid.
 */
export class StatusCache {
  readonly #bySignature = new Map<string, LandedStatus>();
  readonly #messages = new Map<string, number>();
  readonly #slots = new Map<number, { signature: string; messageHash: string }[]>();

  /** Notes a landed transaction. */
  record(signature: string, messageHash: string, status: LandedStatus): void {
    this.#bySignature.set(signature, status);
    this.#messages.set(messageHash, status.slot);
    const entries = this.#slots.get(status.slot) ?? [];
    entries.push({ signature, messageHash });
    this.#slots.set(status.slot, entries);
  }

  /** Whether a message landed already, under whatever signature. */
  hasMessage(messageHash: string): boolean {
    return this.#messages.has(messageHash);
  }

  /** Slot in which a message landed, at or before `slot`; null when it did not. */
  messageSlot(messageHash: string, slot: number): number | null {
    const landed = this.#messages.get(messageHash);
    return landed !== undefined && landed <= slot ? landed : null;
  }

  /** Status of a signature, null when unknown. */
  get(signature: string): LandedStatus | null {
    return this.#bySignature.get(signature) ?? null;
  }

  /** Forgets slots from `slot` on (they were dropped). */
  dropFrom(slot: number): void {
    this.#forget((at) => at >= slot);
  }

  /** Forgets slots before `slot` (they are no longer recent). */
  prune(slot: number): void {
    this.#forget((at) => at < slot);
  }

  #forget(gone: (slot: number) => boolean): void {
    for (const [slot, entries] of this.#slots) {
      if (!gone(slot)) continue;
      for (const { signature, messageHash } of entries) {
        this.#bySignature.delete(signature);
        this.#messages.delete(messageHash);
      }
      this.#slots.delete(slot);
    }
  }
}
