/** Reads bytes from the front. Throws a RangeError past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns a copy. */
  take(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length)
      throw new RangeError(`a transaction of ${this.#bytes.length} bytes ends too early`);
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  /** Reads a compact length: 7 bits per byte, at most 16 bits (solana-short-vec). */
  length(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a length of a transaction has more than three bytes');
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.length() }, read);
  }

  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#at);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}
