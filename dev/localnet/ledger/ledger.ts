import { EventEmitter } from 'node:events';
import type { Engine } from '../engine/engine.ts';
import type { TransactionError } from '../engine/transaction-error.ts';
import type { AccountStore } from './account-store.ts';
import type { Account, Address } from './account.ts';
import type { Block, BlockChain } from './blocks.ts';
import type { AccountVersion, History } from './history.ts';
import type { LookupContext } from './lookup-table.ts';
import { durableNonce, nonceAccountOf, nonceAllows } from './nonce.ts';
import { recordOf, type TransactionRecord } from './record.ts';
import { type Run, Sandbox } from './sandbox.ts';
import type { StatusCache } from './status-cache.ts';
import type { WireTransaction } from './wire-transaction.ts';

export const STATUS_CACHE_SLOTS = 300;
/** Slots to finality on the real chain; a local one may use fewer. */
export const SLOTS_TO_FINALIZE = 31;
/** Versions kept beyond finality, for lagging endpoints. */
const VERSION_MARGIN = 33;

/** Result of landing. A transaction that did not land is in no block and costs nothing. */
export type Landing =
  | { readonly landed: true; readonly record: TransactionRecord }
  | { readonly landed: false; readonly err: TransactionError; readonly logs: readonly string[] };

export type BundleLanding =
  | { readonly landed: true; readonly records: readonly TransactionRecord[] }
  | {
      readonly landed: false;
      readonly index: number;
      readonly err: TransactionError;
      readonly logs: readonly string[];
    };

interface LedgerEvents {
  transaction: [TransactionRecord, ReadonlyMap<Address, Account | null>];
  block: [Block];
  open: [slot: number, parent: number];
  dropped: [fromSlot: number];
}

export interface LedgerParts {
  readonly engine: Engine;
  readonly accounts: AccountStore;
  readonly blocks: BlockChain;
  readonly statuses: StatusCache;
  readonly history: History;
  readonly slotsToFinalize: number;
  /** ms. */
  readonly now: () => number;
}

/**
 * The only writer: lands transactions and bundles, closes blocks, drops slots. Every call is synchronous and leaves a
 * consistent chain.
 */
export class Ledger {
  readonly engine: Engine;
  readonly accounts: AccountStore;
  readonly blocks: BlockChain;
  readonly statuses: StatusCache;
  readonly history: History;
  readonly slotsToFinalize: number;
  readonly events = new EventEmitter<LedgerEvents>();
  /** Slots that frozen or lagging endpoints read; later versions are kept. */
  readonly pins = new Map<string, number>();
  readonly #now: () => number;
  readonly #programs = new Map<Address, Account>();
  #records: TransactionRecord[] = [];
  #outOfBand: AccountVersion[] = [];

  constructor(parts: LedgerParts) {
    this.engine = parts.engine;
    this.accounts = parts.accounts;
    this.blocks = parts.blocks;
    this.statuses = parts.statuses;
    this.history = parts.history;
    this.slotsToFinalize = parts.slotsToFinalize;
    this.#now = parts.now;
    this.#enterSlot();
  }

  get slot(): number {
    return this.blocks.open.slot;
  }

  get openRecords(): readonly TransactionRecord[] {
    return this.#records;
  }

  get finalizedSlot(): number {
    return this.blocks.latestAt(this.slot - this.slotsToFinalize).slot;
  }

  read(address: Address, slot: number): Account | null {
    return this.accounts.has(address) ? this.accounts.at(address, slot) : this.#readBuiltIn(address);
  }

  transactionCount(slot: number): number {
    const open = slot >= this.slot ? this.#records.length : 0;
    return this.history.transactionCount(slot) + open;
  }

  sandbox(slot: number): Sandbox {
    return new Sandbox({
      engine: this.engine,
      read: (address) => this.read(address, slot),
      readTip: (address) => this.read(address, this.slot),
      lookups: this.#lookups(slot),
      nextNonce: durableNonce(this.blocks.latestAt(slot).blockhash),
    });
  }

  land(transaction: WireTransaction, verifySignatures = true): Landing {
    const result = this.landBundle([transaction], verifySignatures, true);
    if (!result.landed) return result;
    const [record] = result.records;
    if (!record) throw new Error(`transaction ${transaction.id} landed without a record`);
    return { landed: true, record };
  }

  /**
   * Lands all in order, or none.
   *
   * @param failuresLand a failing one lands and pays its fee instead
   */
  landBundle(transactions: readonly WireTransaction[], verifySignatures = true, failuresLand = false): BundleLanding {
    const sandbox = this.sandbox(this.slot);
    const runs: Run[] = [];
    const hashes = new Set<string>();
    for (const [index, transaction] of transactions.entries()) {
      const refused = this.#refusal(transaction, hashes, sandbox);
      const run = refused === null ? sandbox.run(transaction, verifySignatures) : null;
      const err = run ? run.execution.err : refused;
      if (!run || !run.landed || (err !== null && !failuresLand)) {
        sandbox.discard();
        return { landed: false, index, err: err ?? 'SanitizeFailure', logs: run?.execution.logs ?? [] };
      }
      hashes.add(transaction.message.hash);
      runs.push(run);
    }
    return { landed: true, records: this.#commit(runs, sandbox.changes) };
  }

  /** More than 1 skips slots. */
  closeSlot(slotsAhead = 1): Block {
    const records = this.#records;
    const touched = this.accounts.touchedIn(this.slot);
    const slot = this.slot;
    const block = this.blocks.close(Math.floor(this.#now() / 1000), slotsAhead);
    this.history.atomically(() => {
      this.history.addBlock(block, records);
      for (const version of this.#outOfBand) this.#saveOutOfBand(version);
      for (const address of touched) {
        this.history.putAccount({ address, slot, account: this.accounts.at(address, slot) });
      }
      this.#prune();
    });
    this.#records = [];
    this.#outOfBand = [];
    this.#enterSlot();
    this.events.emit('block', block);
    this.events.emit('open', this.slot, block.slot);
    return block;
  }

  /** Returns the transactions in order. Throws if the slot is finalized. */
  dropFrom(slot: number): TransactionRecord[] {
    if (slot <= this.finalizedSlot) {
      throw new Error(`slot ${slot} is finalized (finalized slot ${this.finalizedSlot}) and cannot be dropped`);
    }
    const dropped = [...this.history.since(slot), ...this.#records];
    const next = this.slot + 1;
    for (const address of this.accounts.dropFrom(slot)) this.engine.setAccount(address, this.read(address, slot));
    this.statuses.dropFrom(slot);
    this.history.atomically(() => this.history.dropFrom(slot, dropped));
    this.blocks.dropFrom(slot, next, Math.floor(this.#now() / 1000));
    this.#records = [];
    this.#enterSlot();
    this.events.emit('dropped', slot);
    this.events.emit('open', this.slot, this.blocks.last.slot);
    return dropped;
  }

  /** Sets accounts outside of transactions, at every commitment; rollbacks do not undo it. */
  setAccounts(entries: Iterable<readonly [Address, Account | null]>): void {
    for (const [address, account] of entries) {
      const slot = 0;
      this.engine.setAccount(address, account);
      this.accounts.replace(address, slot, account);
      this.#outOfBand.push({ address, slot, account });
    }
  }

  #saveOutOfBand(version: AccountVersion): void {
    this.history.dropAccount(version.address);
    if (version.account) this.history.putAccount(version);
  }

  #refusal({ message }: WireTransaction, earlier: ReadonlySet<string>, sandbox: Sandbox): TransactionError | null {
    const { height, parent } = this.blocks.open;
    if (!this.blocks.isValidAt(message.blockhash, height)) {
      const nonce = nonceAccountOf(message);
      const account = nonce === null ? null : sandbox.read(nonce);
      if (!nonceAllows(message, account, durableNonce(parent.blockhash))) return 'BlockhashNotFound';
    }
    return earlier.has(message.hash) || this.statuses.hasMessage(message.hash) ? 'AlreadyProcessed' : null;
  }

  #commit(runs: readonly Run[], changes: ReadonlyMap<Address, Account | null>): TransactionRecord[] {
    const { slot, time } = this.blocks.open;
    for (const [address, account] of changes) {
      this.#keepBuiltIn(address, runs);
      this.accounts.put(address, slot, account);
    }
    return runs.map((run) => {
      const record = recordOf(run, { slot, index: this.#records.length, blockTime: time });
      this.#records.push(record);
      this.statuses.record(record.signature, record.messageHash, { slot, err: record.err });
      this.events.emit('transaction', record, changes);
      return record;
    });
  }

  /** Known only to the engine: a rollback must find it. */
  #keepBuiltIn(address: Address, runs: readonly Run[]): void {
    if (this.accounts.has(address)) return;
    for (const { keys, before } of runs) {
      const index = keys.indexOf(address);
      if (index < 0) continue;
      const account = before[index] ?? null;
      if (account) {
        this.accounts.put(address, 0, account);
        this.#outOfBand.push({ address, slot: 0, account });
      }
      return;
    }
  }

  #readBuiltIn(address: Address): Account | null {
    const known = this.#programs.get(address);
    if (known) return known;
    const account = this.engine.account(address);
    // Programs do not change, and copying their bytes is slow.
    if (account?.executable) this.#programs.set(address, account);
    return account;
  }

  #lookups(slot: number): Omit<LookupContext, 'read'> {
    const oldest = this.blocks.first.slot;
    return {
      slot,
      isRecentSlot: (wanted) => wanted >= BigInt(oldest) && this.blocks.at(Number(wanted)) !== null,
    };
  }

  #enterSlot(): void {
    const { slot, time } = this.blocks.open;
    this.engine.openSlot(slot, time, this.blocks.slotHashes);
  }

  #prune(): void {
    this.statuses.prune(this.slot - STATUS_CACHE_SLOTS);
    const floor = Math.min(this.finalizedSlot - VERSION_MARGIN, ...this.pins.values());
    for (const [address, slot] of this.accounts.prune(floor)) this.history.dropVersion(address, slot);
  }
}
