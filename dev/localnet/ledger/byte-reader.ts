/** Little-endian. Throws a RangeError past the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  peek(): number {
    return this.#bytes.readUInt8(this.#at);
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#advance(1));
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#advance(2));
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#advance(4));
  }

  u64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#advance(8));
  }

  i64(): bigint {
    return this.#bytes.readBigInt64LE(this.#advance(8));
  }

  f64(): number {
    return this.#bytes.readDoubleLE(this.#advance(8));
  }

  i16(): number {
    return this.#bytes.readInt16LE(this.#advance(2));
  }

  take(length: number): Uint8Array {
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** `compact-u16`: 7 bits per byte, at most three bytes. */
  compactLength(): number {
    let length = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.u8();
      length |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return length;
    }
    throw new RangeError('compact-u16 longer than three bytes');
  }

  #advance(length: number): number {
    const at = this.#at;
    if (length > this.remaining) throw new RangeError(`${length} bytes wanted at ${at} of ${this.#bytes.length}`);
    this.#at = at + length;
    return at;
  }
}
