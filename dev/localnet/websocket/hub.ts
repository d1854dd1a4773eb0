import type { Address } from '../ledger/account.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import type { Commitment } from '../rpc/params.ts';
import type { ChainView } from '../server/view.ts';

export interface Subscription {
  readonly commitment: Commitment;
  readonly onTransactions?: (records: readonly TransactionRecord[]) => void;
  readonly onAccounts?: (slot: number, addresses: Iterable<Address>) => void;
  /** Any commitment may have advanced. */
  readonly onAdvance?: (slot: number, parent: number) => void;
}

export class SubscriptionHub {
  readonly #view: ChainView;
  readonly #ledger: Ledger;
  readonly #subscriptions = new Set<Subscription>();
  readonly #told = new Map<Commitment, number>();

  constructor(view: ChainView) {
    this.#view = view;
    this.#ledger = view.ledger;
    for (const commitment of ['confirmed', 'finalized'] as const) this.#told.set(commitment, view.slotAt(commitment));
    const { events } = this.#ledger;
    events.on('transaction', (record, changes) => this.#tellProcessed(record, changes.keys()));
    events.on('open', (slot, parent) => this.#tellAdvance(slot, parent));
    events.on('dropped', (slot) => this.#forgetFrom(slot));
  }

  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
  }

  remove(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
  }

  #at(commitment: Commitment): Subscription[] {
    return [...this.#subscriptions].filter((subscription) => subscription.commitment === commitment);
  }

  #tellProcessed(record: TransactionRecord, addresses: Iterable<Address>): void {
    const written = [...addresses];
    for (const subscription of this.#at('processed')) {
      subscription.onTransactions?.([record]);
      subscription.onAccounts?.(record.slot, written);
    }
  }

  #tellAdvance(slot: number, parent: number): void {
    for (const commitment of ['confirmed', 'finalized'] as const) this.#tellReached(commitment);
    for (const subscription of [...this.#subscriptions]) subscription.onAdvance?.(slot, parent);
  }

  #tellReached(commitment: Commitment): void {
    const [from, to] = [this.#told.get(commitment) ?? 0, this.#view.slotAt(commitment)];
    this.#told.set(commitment, to);
    const interested = this.#at(commitment);
    if (interested.length === 0) return;
    const wantsRecords = interested.some((subscription) => subscription.onTransactions);
    for (let slot = from + 1; slot <= to; slot++) {
      const records = wantsRecords ? this.#ledger.history.inBlock(slot) : [];
      const written = this.#ledger.accounts.touchedIn(slot);
      for (const subscription of interested) {
        if (records.length > 0) subscription.onTransactions?.(records);
        subscription.onAccounts?.(slot, written);
      }
    }
  }

  /** Replacements of dropped slots are reported again. */
  #forgetFrom(slot: number): void {
    for (const [commitment, told] of this.#told) this.#told.set(commitment, Math.min(told, slot - 1));
  }
}
