import type { IndexedPool } from '../../../../db/market/pool-cursors.ts';
import type { PoolStanding } from '../../figures.ts';

/** A pool's cursor as this process wrote it last. */
export class WrittenPool {
  #cursor: IndexedPool;
  #version = 0;

  constructor(cursor: IndexedPool) {
    this.#cursor = withKnownPrice(cursor);
  }

  get cursor(): IndexedPool {
    return this.#cursor;
  }

  /** The ordered pool's version that is stored. */
  get version(): number {
    return this.#version;
  }

  noteStored(version: number): void {
    this.#version = version;
  }

  reload(cursor: IndexedPool): void {
    this.#cursor = withKnownPrice(cursor);
  }

  moveTo(slot: number, { baseRaw, quoteRaw }: Pick<IndexedPool, 'baseRaw' | 'quoteRaw'>): void {
    this.#cursor = { ...this.#cursor, finalizedSlot: BigInt(slot), baseRaw, quoteRaw };
  }

  noteStanding({ priceQuote, quoteVaultRaw, slot }: PoolStanding): void {
    this.#cursor = { ...this.#cursor, priceQuote, quoteVaultRaw, stateSlot: BigInt(slot) };
  }

  /** The price includes swaps that a fork removed. */
  forgetPrice(): void {
    this.#cursor = { ...this.#cursor, priceQuote: null };
  }
}

function withKnownPrice(cursor: IndexedPool): IndexedPool {
  return cursor.figuresVersion === cursor.swapsVersion ? cursor : { ...cursor, priceQuote: null };
}
