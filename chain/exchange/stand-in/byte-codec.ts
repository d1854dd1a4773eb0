/** Appends numbers to a growing list of bytes. */
export class ByteWriter {
  readonly #bytes: number[] = [];

  byte(value: number): void {
    this.#bytes.push(value & 0xff);
  }

  /** A non-negative integer in as few bytes as it needs, behind one byte with their count. */
  integer(value: bigint): void {
    const hex = value === 0n ? '' : value.toString(16);
    const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
    this.#bytes.push(bytes.length, ...bytes);
  }

  raw(bytes: Uint8Array): void {
    this.#bytes.push(...bytes);
  }

  /** base64url without padding. */
  toText(): string {
    return Buffer.from(this.#bytes).toString('base64url');
  }
}

/** Reads what a ByteWriter wrote. Every read throws a RangeError beyond the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(text: string) {
    this.#bytes = Buffer.from(text, 'base64url');
  }

  get atEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  byte(): number {
    return this.raw(1)[0] ?? 0;
  }

  integer(): bigint {
    const bytes = this.raw(this.byte());
    return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
  }

  raw(length: number): Buffer {
    const end = this.#position + length;
    if (end > this.#bytes.length) throw new RangeError(`a state ends after ${this.#bytes.length} bytes, ${end} needed`);
    const bytes = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return bytes;
  }
}
