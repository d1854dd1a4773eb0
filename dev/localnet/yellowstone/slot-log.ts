import type { Account, Address } from '../ledger/account.ts';
import type { Block } from '../ledger/blocks.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import type { Commitment } from '../rpc/params.ts';
import type { ChainView } from '../server/view.ts';

/** `version` increases with every write. */
export interface AccountWrite {
  readonly address: Address;
  /** Null: deleted. */
  readonly account: Account | null;
  readonly signature: string;
  readonly version: number;
}

export interface SlotEntry {
  readonly slot: number;
  readonly parent: number;
  readonly records: TransactionRecord[];
  readonly writes: AccountWrite[];
  /** Null while open. */
  block: Block | null;
}

export interface SlotListener {
  onTransaction(entry: SlotEntry, record: TransactionRecord, writes: readonly AccountWrite[]): void;
  onReached(entry: SlotEntry, commitment: Commitment): void;
  onDead(entry: SlotEntry): void;
}

export class SlotLog {
  readonly #view: ChainView;
  readonly #ledger: Ledger;
  readonly #kept: number;
  readonly #entries = new Map<number, SlotEntry>();
  readonly #listeners = new Set<SlotListener>();
  readonly #told = new Map<Commitment, number>();
  #writes = 0;

  /** @param kept can be replayed */
  constructor(view: ChainView, kept: number) {
    this.#view = view;
    this.#ledger = view.ledger;
    this.#kept = kept;
    for (const commitment of ['confirmed', 'finalized'] as const) this.#told.set(commitment, view.slotAt(commitment));
    const { events } = this.#ledger;
    events.on('transaction', (record, changes) => this.#noteTransaction(record, changes));
    events.on('block', (block) => this.#noteBlock(block));
    events.on('open', () => this.#tellReached());
    events.on('dropped', (slot) => this.#drop(slot));
  }

  listen(listener: SlotListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get first(): number {
    return this.#entries.keys().next().value ?? this.#ledger.slot;
  }

  since(slot: number): SlotEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.block !== null && entry.slot >= slot);
  }

  slotAt(commitment: Commitment): number {
    return this.#view.slotAt(commitment);
  }

  #open(): SlotEntry {
    const { slot, parent } = this.#ledger.blocks.open;
    const known = this.#entries.get(slot);
    if (known) return known;
    const entry: SlotEntry = { slot, parent: parent.slot, records: [], writes: [], block: null };
    this.#entries.set(slot, entry);
    return entry;
  }

  #noteTransaction(record: TransactionRecord, changes: ReadonlyMap<Address, Account | null>): void {
    const entry = this.#open();
    const writes = [...changes]
      .filter(([address]) => record.keys.includes(address))
      .map(([address, account]) => ({ address, account, signature: record.signature, version: ++this.#writes }));
    entry.records.push(record);
    entry.writes.push(...writes);
    for (const listener of [...this.#listeners]) listener.onTransaction(entry, record, writes);
  }

  #noteBlock(block: Block): void {
    const known = this.#entries.get(block.slot);
    const entry = known ?? { slot: block.slot, parent: block.parentSlot, records: [], writes: [], block };
    entry.block = block;
    this.#entries.set(block.slot, entry);
    for (const slot of this.#entries.keys()) {
      if (slot >= block.slot - this.#kept) break;
      this.#entries.delete(slot);
    }
    for (const listener of [...this.#listeners]) listener.onReached(entry, 'processed');
  }

  #tellReached(): void {
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const [from, to] = [this.#told.get(commitment) ?? 0, this.#view.slotAt(commitment)];
      this.#told.set(commitment, to);
      for (let slot = from + 1; slot <= to; slot++) {
        const entry = this.#entries.get(slot);
        if (entry?.block) for (const listener of [...this.#listeners]) listener.onReached(entry, commitment);
      }
    }
  }

  #drop(from: number): void {
    const dead = [...this.#entries.values()].filter(({ slot }) => slot >= from);
    for (const { slot } of dead) this.#entries.delete(slot);
    for (const [commitment, told] of this.#told) this.#told.set(commitment, Math.min(told, from - 1));
    for (const entry of dead) for (const listener of [...this.#listeners]) listener.onDead(entry);
  }
}
