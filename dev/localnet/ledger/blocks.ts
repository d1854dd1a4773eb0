import { randomBytes } from 'node:crypto';
import { fromBase58, toBase58 } from '../encoding/base58.ts';

/** Blocks until a blockhash expires (`MAX_PROCESSING_AGE`). */
export const BLOCKHASH_WINDOW = 150;
const SLOT_HASH_ENTRIES = 512;

/** Closed. Skipped slots have no block: slots and heights differ. */
export interface Block {
  readonly slot: number;
  readonly parentSlot: number;
  readonly height: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  /** Unix seconds. */
  readonly time: number;
}

export interface OpenBlock {
  readonly slot: number;
  readonly height: number;
  readonly parent: Block;
  /** Unix seconds. */
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

export class BlockChain {
  #closed: Block[];
  #open: OpenBlock;
  #slotHashes: Buffer;

  /** @param closed at least one, by slot */
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

  get last(): Block {
    return this.#open.parent;
  }

  get first(): Block {
    return this.#closed[0] ?? this.#open.parent;
  }

  /** Opens one `slotsAhead` later. Times never decrease. */
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

  dropFrom(slot: number, openSlot: number, time: number): void {
    const kept = this.#closed.filter((block) => block.slot < slot);
    const parent = kept.at(-1);
    if (!parent) throw new Error(`no block remains below slot ${slot}`);
    this.#closed = kept;
    this.#open = { slot: openSlot, height: parent.height + 1, parent, time: Math.max(time, parent.time) };
    this.#slotHashes = slotHashesOf(kept);
  }

  latestAt(slot: number): Block {
    return this.#closed.findLast((block) => block.slot <= slot) ?? this.first;
  }

  /** Null for a skipped or old slot. */
  at(slot: number): Block | null {
    return this.#closed.findLast((block) => block.slot === slot) ?? null;
  }

  byHash(blockhash: string): Block | null {
    return this.#closed.findLast((block) => block.blockhash === blockhash) ?? null;
  }

  isValidAt(blockhash: string, height: number): boolean {
    const block = this.byHash(blockhash);
    return block !== null && block.height < height && height - block.height <= BLOCKHASH_WINDOW;
  }

  /** u64 count, then (u64 slot, 32-byte hash), newest first. */
  get slotHashes(): Uint8Array {
    return this.#slotHashes;
  }
}
