import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { serialize } from 'node:v8';
import type { Account, Address } from './account.ts';
import type { Block } from './blocks.ts';
import {
  AccountRow,
  BlockRow,
  decodeRecord,
  PlaceRow,
  RecordRow,
  SlotRow,
  statusOf,
  type StoredStatus,
  TABLES,
  ValueRow,
} from './history-schema.ts';
import type { TransactionRecord } from './record.ts';

export interface AccountVersion {
  readonly address: Address;
  readonly slot: number;
  readonly account: Account | null;
}

export interface Place {
  readonly slot: number;
  readonly place: number;
}

function blockOf(row: unknown): Block {
  const parsed = BlockRow.Parse(row);
  return {
    slot: Number(parsed.slot),
    parentSlot: Number(parsed.parent_slot),
    height: Number(parsed.height),
    blockhash: parsed.blockhash,
    previousBlockhash: parsed.previous_blockhash,
    time: Number(parsed.time),
  };
}

function versionOf(row: unknown): AccountVersion {
  const { address, slot, lamports, owner, executable, data } = AccountRow.Parse(row);
  const account = lamports === 0n ? null : { lamports, owner, executable: executable === 1n, data };
  return { address, slot: Number(slot), account };
}

const STATEMENTS = {
  setMeta: 'INSERT OR REPLACE INTO meta VALUES (?, ?)',
  meta: 'SELECT value FROM meta WHERE key = ?',
  addBlock: 'INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?)',
  addTransaction: 'INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?)',
  addMention: 'INSERT OR IGNORE INTO mentions VALUES (?, ?, ?)',
  putAccount: 'INSERT OR REPLACE INTO accounts VALUES (?, ?, ?, ?, ?, ?)',
  dropMention: 'DELETE FROM mentions WHERE address = ? AND slot = ? AND place = ?',
  dropVersion: 'DELETE FROM accounts WHERE address = ? AND slot = ?',
  dropAccount: 'DELETE FROM accounts WHERE address = ?',
  accounts: 'SELECT * FROM accounts ORDER BY slot',
  newestBlocks: 'SELECT * FROM (SELECT * FROM blocks ORDER BY slot DESC LIMIT ?) ORDER BY slot',
  block: 'SELECT * FROM blocks WHERE slot = ?',
  slots: 'SELECT slot FROM blocks WHERE slot BETWEEN ? AND ? ORDER BY slot LIMIT ?',
  firstSlot: 'SELECT slot FROM blocks WHERE slot >= ? ORDER BY slot LIMIT 1',
  count: 'SELECT count(*) AS slot FROM transactions WHERE slot <= ?',
  newestBusy: 'SELECT slot FROM transactions ORDER BY slot DESC LIMIT 1',
  inBlock: 'SELECT record FROM transactions WHERE slot = ? ORDER BY place',
  statuses: 'SELECT slot, signature, message_hash, err FROM transactions WHERE slot >= ?',
  since: 'SELECT record FROM transactions WHERE slot >= ? ORDER BY slot, place',
  bySignature: 'SELECT record FROM transactions WHERE signature = ?',
  byPlace: 'SELECT record FROM transactions WHERE slot = ? AND place = ?',
  mentions: `SELECT slot, place FROM mentions
    WHERE address = ? AND (slot, place) < (?, ?) AND (slot, place) > (?, ?) ORDER BY slot DESC, place DESC LIMIT ?`,
} as const;

type Statements = Record<keyof typeof STATEMENTS, StatementSync>;

/**
 * Blocks, transactions, mentions of addresses, account versions for a restart. SQLite, in a file or memory. Each closed
 * block is committed: a killed process loses only the open one. `synchronous = OFF` risks data only on power failure.
 */
export class History {
  readonly #db: DatabaseSync;
  readonly #sql: Statements;

  /** @param path or ":memory:" */
  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    this.#db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    this.#db.exec(TABLES);
    const prepare = (sql: string): StatementSync => {
      const statement = this.#db.prepare(sql);
      statement.setReadBigInts(true);
      return statement;
    };
    this.#sql = Object.fromEntries(Object.entries(STATEMENTS).map(([name, sql]) => [name, prepare(sql)])) as Statements;
  }

  atomically(write: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      write();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  setMeta(key: string, value: string): void {
    this.#sql.setMeta.run(key, value);
  }

  meta(key: string): string | null {
    const row = this.#sql.meta.get(key);
    return row === undefined ? null : ValueRow.Parse(row).value;
  }

  addBlock(block: Block, records: readonly TransactionRecord[]): void {
    const { slot, parentSlot, height, blockhash, previousBlockhash, time } = block;
    this.#sql.addBlock.run(slot, parentSlot, height, blockhash, previousBlockhash, time);
    for (const record of records) {
      const { index, signature, messageHash, err } = record;
      this.#sql.addTransaction.run(slot, index, signature, messageHash, JSON.stringify(err), serialize(record));
      for (const key of record.keys) this.#sql.addMention.run(key, slot, record.index);
    }
  }

  putAccount({ address, slot, account }: AccountVersion): void {
    const { lamports, owner, executable, data } = account ?? {
      lamports: 0n,
      owner: '',
      executable: false,
      data: new Uint8Array(),
    };
    this.#sql.putAccount.run(address, slot, lamports, owner, executable ? 1 : 0, data);
  }

  dropVersion(address: Address, slot: number): void {
    this.#sql.dropVersion.run(address, slot);
  }

  dropAccount(address: Address): void {
    this.#sql.dropAccount.run(address);
  }

  /**
   * Drops everything at or after a slot.
   *
   * @param records its transactions
   */
  dropFrom(slot: number, records: readonly TransactionRecord[]): void {
    for (const record of records) {
      for (const key of record.keys) this.#sql.dropMention.run(key, record.slot, record.index);
    }
    for (const table of ['blocks', 'transactions', 'accounts']) {
      this.#db.prepare(`DELETE FROM ${table} WHERE slot >= ?`).run(slot);
    }
  }

  *accounts(): Generator<AccountVersion> {
    for (const row of this.#sql.accounts.iterate()) yield versionOf(row);
  }

  newestBlocks(count: number): Block[] {
    return this.#sql.newestBlocks.all(count).map(blockOf);
  }

  block(slot: number): Block | null {
    const row = this.#sql.block.get(slot);
    return row === undefined ? null : blockOf(row);
  }

  slots(from: number, to: number, limit: number): number[] {
    return this.#sql.slots.all(from, to, limit).map((row) => Number(SlotRow.Parse(row).slot));
  }

  firstSlot(from: number): number | null {
    const row = this.#sql.firstSlot.get(from);
    return row === undefined ? null : Number(SlotRow.Parse(row).slot);
  }

  transactionCount(slot: number): number {
    return Number(SlotRow.Parse(this.#sql.count.get(slot)).slot);
  }

  newestBusySlot(): number | null {
    const row = this.#sql.newestBusy.get();
    return row === undefined ? null : Number(SlotRow.Parse(row).slot);
  }

  inBlock(slot: number): TransactionRecord[] {
    return this.#sql.inBlock.all(slot).map((row) => decodeRecord(RecordRow.Parse(row).record));
  }

  since(slot: number): TransactionRecord[] {
    return this.#sql.since.all(slot).map((row) => decodeRecord(RecordRow.Parse(row).record));
  }

  *statusesSince(slot: number): Generator<StoredStatus> {
    for (const row of this.#sql.statuses.iterate(slot)) yield statusOf(row);
  }

  transaction(signature: string): TransactionRecord | null {
    const row = this.#sql.bySignature.get(signature);
    return row === undefined ? null : decodeRecord(RecordRow.Parse(row).record);
  }

  mentions(address: Address, before: Place, after: Place, limit: number): Place[] {
    return this.#sql.mentions
      .all(address, before.slot, before.place, after.slot, after.place, limit)
      .map((row) => PlaceRow.Parse(row))
      .map(({ slot, place }) => ({ slot: Number(slot), place: Number(place) }));
  }

  /** @throws if there is none */
  atPlace({ slot, place }: Place): TransactionRecord {
    const row = this.#sql.byPlace.get(slot, place);
    if (row === undefined) throw new Error(`no transaction ${place} in slot ${slot}`);
    return decodeRecord(RecordRow.Parse(row).record);
  }

  close(): void {
    this.#db.close();
  }
}
