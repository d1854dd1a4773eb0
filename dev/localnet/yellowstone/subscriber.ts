import { status } from '@grpc/grpc-js';
import {
  PingId,
  SubscribeUpdate,
  type SubscribeRequestValue,
  type SubscribeUpdateValue,
} from '../../../chain/stream/yellowstone/messages.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import type { Commitment } from '../rpc/params.ts';
import { readRequest, type Wanted } from './filters.ts';
import { RefusedError } from './refused-error.ts';
import type { AccountWrite, SlotEntry, SlotListener, SlotLog } from './slot-log.ts';
import {
  accountUpdate,
  blockMetaUpdate,
  slotUpdate,
  transactionStatusUpdate,
  transactionUpdate,
  updateFor,
} from './updates.ts';

const COMMITMENT_ORDER: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

export class Subscriber implements SlotListener {
  readonly #log: SlotLog;
  readonly #firstAvailable: () => number;
  readonly #send: (update: SubscribeUpdateValue) => void;
  #wanted: Wanted | null = null;

  constructor(log: SlotLog, firstAvailable: () => number, send: (update: SubscribeUpdateValue) => void) {
    this.#log = log;
    this.#firstAvailable = firstAvailable;
    this.#send = send;
  }

  /**
   * Answers a ping; else replaces the filters.
   *
   * @throws RefusedError
   */
  take(request: SubscribeRequestValue): void {
    if (request.ping !== null) return this.#send(SubscribeUpdate.of({ pong: PingId.of(request.ping) }));
    this.#wanted = readRequest(request);
    if (request.fromSlot !== null) this.#replay(request.fromSlot);
  }

  onTransaction(entry: SlotEntry, record: TransactionRecord, writes: readonly AccountWrite[]): void {
    if (this.#wanted?.commitment !== 'processed') return;
    this.#tellTransaction(record);
    this.#tellWrites(entry.slot, writes);
  }

  onReached(entry: SlotEntry, commitment: Commitment): void {
    const wanted = this.#wanted;
    if (wanted === null) return;
    if (commitment === wanted.commitment) this.#tellSlot(entry, commitment !== 'processed');
    this.#tellStatus(entry, commitment);
  }

  onDead(entry: SlotEntry): void {
    for (const { name } of this.#wanted?.slots ?? []) this.#send(updateFor([name], slotUpdate(entry, 'dead')));
  }

  #replay(from: number): void {
    const first = this.#firstAvailable();
    if (from < first) {
      throw new RefusedError(status.INTERNAL, `broadcast from ${from} is not available, last available: ${first}`);
    }
    for (const entry of this.#log.since(from)) {
      for (const commitment of COMMITMENT_ORDER) {
        if (commitment !== 'processed' && entry.slot > this.#log.slotAt(commitment)) continue;
        if (commitment === this.#wanted?.commitment) this.#tellSlot(entry, true);
        this.#tellStatus(entry, commitment);
      }
    }
  }

  #tellSlot(entry: SlotEntry, withContent: boolean): void {
    if (withContent) {
      for (const record of entry.records) this.#tellTransaction(record);
      this.#tellWrites(entry.slot, entry.writes);
    }
    const filters = this.#wanted?.blocksMeta ?? [];
    if (filters.length > 0) this.#send(updateFor(filters, blockMetaUpdate(entry)));
  }

  #tellStatus(entry: SlotEntry, commitment: Commitment): void {
    const slots = this.#wanted?.slots ?? [];
    const filters = slots.filter(({ onlyCommitment }) => !onlyCommitment || commitment === this.#wanted?.commitment);
    if (filters.length === 0) return;
    const names = filters.map(({ name }) => name);
    this.#send(updateFor(names, slotUpdate(entry, commitment)));
  }

  #tellTransaction(record: TransactionRecord): void {
    const filters = this.#wanted?.transactions(record) ?? [];
    if (filters.length > 0) this.#send(updateFor(filters, transactionUpdate(record)));
    const statuses = this.#wanted?.transactionsStatus(record) ?? [];
    if (statuses.length > 0) this.#send(updateFor(statuses, transactionStatusUpdate(record)));
  }

  #tellWrites(slot: number, writes: readonly AccountWrite[]): void {
    for (const write of writes) {
      const filters = this.#wanted?.accounts(write) ?? [];
      if (filters.length > 0) this.#send(updateFor(filters, accountUpdate(slot, write)));
    }
  }
}
