import { randomBytes } from 'node:crypto';
import { fromBase58, toBase58 } from '../encoding/base58.ts';

/** Blocks after which a blockhash can no longer be used (`MAX_PROCESSING_AGE`). */
export const BLOCKHASH_WINDOW = 150;
/** Slots whose hashes the SlotHashes sysvar holds. */
const SLOT_HASH_ENTRIES = 512;

/** A closed block. Slots and heights differ: skipped slots have no block. */
export interface Block {
  readonly slot: number;
  readonly parentSlot: number;
  readonly height: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  /** Unix time in seconds. */
  readonly time: number;
}

/** The block being filled: what it is built on. */
export interface OpenBlock {
  readonly slot: number;
  readonly height: number;
  readonly parent: Block;
  /** Unix time in seconds. */
  readonly time: number;
}

function writeSlotHash(data: Buffer, index: number, block: Block): void {
  data.writeBigUInt64LE(BigInt(block.slot), 8 + 40 * index);
  data.set(fromBase58(block.blockhash), 16 + 40 * index);
}

function slotHashesOf(blocks: readonly Block[]): Buffer {
  const recent = blocks.slice(-SLOT_HASH_ENTRIES).reverse();
  const data = Buffer.alloc(8 + 40 * SLOT_HASH_ENTRIES);
  data.writeBigUInt64LE(BigInt(recent.length), 0);
  for (const [index, block] of recent.entries()) writeSlotHash(data, index, block);
  return data;
}

function withSlotHash(before: Buffer, block: Block): Buffer {
  const data = Buffer.alloc(before.length);
  before.copy(data, 48, 8, before.length - 40);
  const count = Number(before.readBigUInt64LE(0));
  data.writeBigUInt64LE(BigInt(Math.min(count + 1, SLOT_HASH_ENTRIES)), 0);
  writeSlotHash(data, 0, block);
  return data;
}

/** The recent blocks of the chain, newest last, and the one being filled. Older ones are in the history only. */
export class BlockChain {
  #closed: Block[];
  #open: OpenBlock;
  #slotHashes: Buffer;

  /** @param closed at least one block, ordered by slot */
  constructor(closed: readonly Block[], openSlot: number, time: number) {
    const parent = closed.at(-1);
    if (!parent) throw new Error('a chain starts with at least one block');
    this.#closed = [...closed];
    this.#open = { slot: openSlot, height: parent.height + 1, parent, time };
    this.#slotHashes = slotHashesOf(this.#closed);
  }

  get open(): OpenBlock {
    return this.#open;
  }

  /** The newest closed block. */
  get last(): Block {
    return this.#open.parent;
  }

  /** Oldest block held here. */
  get first(): Block {
    return this.#closed[0] ?? this.#open.parent;
  }

  /** Closes the open block and opens the one `slotsAhead` slots later. Times are Unix seconds and never go back. */
  close(time: number, slotsAhead: number): Block {
    const { slot, parent, height } = this.#open;
    const block: Block = {
      slot,
      parentSlot: parent.slot,
      height,
      blockhash: toBase58(randomBytes(32)),
      previousBlockhash: parent.blockhash,
      time: this.#open.time,
    };
    this.#closed.push(block);
    this.#slotHashes = withSlotHash(this.#slotHashes, block);
    if (this.#closed.length > 2 * SLOT_HASH_ENTRIES) this.#closed = this.#closed.slice(-SLOT_HASH_ENTRIES);
    this.#open = { slot: slot + slotsAhead, height: height + 1, parent: block, time: Math.max(time, block.time) };
    return block;
  }

  /** Gives up every block from `slot` on, the open one too, and opens a new one at `openSlot` on what remains. */
  dropFrom(slot: number, openSlot: number, time: number): void {
    const kept = this.#closed.filter((block) => block.slot < slot);
    const parent = kept.at(-1);
    if (!parent) throw new Error(`no block remains below slot ${slot}`);
    this.#closed = kept;
    this.#open = { slot: openSlot, height: parent.height + 1, parent, time: Math.max(time, parent.time) };
    this.#slotHashes = slotHashesOf(kept);
  }

  /** The newest closed block at or before a slot; the oldest known one when there is none. */
  latestAt(slot: number): Block {
    return this.#closed.findLast((block) => block.slot <= slot) ?? this.first;
  }

  /** Closed block of a slot, if it is recent and was not skipped. */
  at(slot: number): Block | null {
    return this.#closed.findLast((block) => block.slot === slot) ?? null;
  }

  /** The block that produced a blockhash, among the recent ones. */
  byHash(blockhash: string): Block | null {
    return this.#closed.findLast((block) => block.blockhash === blockhash) ?? null;
  }

  /** Whether a transaction with this blockhash may land in a block of the given height. */
  isValidAt(blockhash: string, height: number): boolean {
    const block = this.byHash(blockhash);
    return block !== null && block.height < height && height - block.height <= BLOCKHASH_WINDOW;
  }

  /** The SlotHashes sysvar's account data: u64 count, then (u64 slot, 32 bytes hash), newest first. */
  get slotHashes(): Uint8Array {
    return this.#slotHashes;
  }
}
