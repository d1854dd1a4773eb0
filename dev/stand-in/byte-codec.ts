/** Printable, without `;` and what JSON escapes. */
const ALPHABET = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
  (character) => !';"\\'.includes(character),
);
const BASE = BigInt(ALPHABET.length);

function fromText(text: string): Buffer {
  let number = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) throw new RangeError(`"${character}" is no digit of a state`);
    number = number * BASE + BigInt(digit);
  }
  const hex = number.toString(16);
  if (!hex.startsWith('1') || hex.length % 2 === 0) throw new RangeError(`"${text}" is no text of whole bytes`);
  return Buffer.from(hex.slice(1), 'hex');
}

/** Count 15 means 16 bytes. */
const WIDEST = 15;

function bytesOf(value: bigint): Buffer {
  const digits = value === 0n ? '' : value.toString(16);
  const length = Math.ceil(digits.length / 2);
  if (value < 0n || length > 16) throw new RangeError(`${value} does not fit 16 bytes`);
  return Buffer.from(digits.padStart((length === WIDEST ? 16 : length) * 2, '0'), 'hex');
}

export class ByteWriter {
  readonly #bytes: number[] = [];

  byte(value: number): void {
    this.#bytes.push(value & 0xff);
  }

  /** Writes at most 16 bytes each, minimal, after 4-bit counts. Throws a RangeError. */
  integers(values: readonly bigint[]): void {
    const all = values.map(bytesOf);
    const counts = all.map(({ length }) => Math.min(length, WIDEST));
    for (let at = 0; at < counts.length; at += 2) this.byte(((counts[at] ?? 0) << 4) | (counts[at + 1] ?? 0));
    this.#bytes.push(...all.flatMap((bytes) => [...bytes]));
  }

  raw(bytes: Uint8Array): void {
    this.#bytes.push(...bytes);
  }

  /** Encodes with a leading 1, base 91: a tenth shorter than base64. */
  toText(): string {
    let left = BigInt(`0x01${Buffer.from(this.#bytes).toString('hex')}`);
    let text = '';
    for (; left > 0n; left /= BASE) text = (ALPHABET[Number(left % BASE)] ?? '') + text;
    return text;
  }
}

/** Throws a RangeError past the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(text: string) {
    this.#bytes = fromText(text);
  }

  get atEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  byte(): number {
    return this.raw(1)[0] ?? 0;
  }

  integers(count: number): bigint[] {
    const halves = [...this.raw(Math.ceil(count / 2))].flatMap((byte) => [byte >> 4, byte & 15]);
    return halves.slice(0, count).map((half) => {
      const bytes = this.raw(half === WIDEST ? 16 : half);
      return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
    });
  }

  raw(length: number): Buffer {
    const end = this.#position + length;
    if (end > this.#bytes.length) throw new RangeError(`a state ends after ${this.#bytes.length} bytes, ${end} needed`);
    const bytes = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return bytes;
  }
}
