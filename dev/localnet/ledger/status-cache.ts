import type { TransactionError } from '../engine/transaction-error.ts';

export interface LandedStatus {
  readonly slot: number;
  readonly err: TransactionError | null;
}

/** Status by signature and message: a message can be signed again with other valid signatures. */
export class StatusCache {
  readonly #bySignature = new Map<string, LandedStatus>();
  readonly #messages = new Map<string, number>();
  readonly #slots = new Map<number, { signature: string; messageHash: string }[]>();

  record(signature: string, messageHash: string, status: LandedStatus): void {
    this.#bySignature.set(signature, status);
    this.#messages.set(messageHash, status.slot);
    const entries = this.#slots.get(status.slot) ?? [];
    entries.push({ signature, messageHash });
    this.#slots.set(status.slot, entries);
  }

  hasMessage(messageHash: string): boolean {
    return this.#messages.has(messageHash);
  }

  /** Slot at or before `slot`; null if the message did not land. */
  messageSlot(messageHash: string, slot: number): number | null {
    const landed = this.#messages.get(messageHash);
    return landed !== undefined && landed <= slot ? landed : null;
  }

  get(signature: string): LandedStatus | null {
    return this.#bySignature.get(signature) ?? null;
  }

  dropFrom(slot: number): void {
    this.#forget((at) => at >= slot);
  }

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
