/** Codecs from field tables (https://protobuf.dev/programming-guides/encoding). Skips unknown fields. */

export interface Codec<Value> {
  /** 0 varint, 1 eight bytes, 2 length-delimited. */
  readonly wire: 0 | 1 | 2;
  write(value: Value): Uint8Array;
  read(reader: Reader): Value;
}

export interface Field<Value> {
  readonly number: number;
  absent(): Value;
  write(value: Value): Uint8Array[];
  /** Merges with the value read before. */
  read(reader: Reader, wire: number, before: Value): Value;
}

type Content<Table> = { readonly [Name in keyof Table]: Table[Name] extends Field<infer Value> ? Value : never };

export interface Message<Value> {
  /** Others get defaults. */
  of(fields: Partial<Value>): Value;
  encode(value: Value): Buffer;
  /** Throws a RangeError for short bytes or a number too large. */
  decode(bytes: Uint8Array): Value;
}

export type ValueOf<Type> = Type extends Message<infer Value> ? Value : never;

export class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = this.#bytes.readUInt8(this.#at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
      shift += 7n;
      if (shift > 63n) throw new RangeError('a varint of more than ten bytes');
    }
  }

  /** Most varints are small. */
  number(): number {
    const byte = this.#bytes.readUInt8(this.#at);
    if (byte < 0x80) {
      this.#at++;
      return byte;
    }
    const value = Number(this.varint());
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no number that can be counted with`);
    return value;
  }

  double(): number {
    this.#at += 8;
    return this.#bytes.readDoubleLE(this.#at - 8);
  }

  bytes(): Buffer {
    const length = this.number();
    const end = this.#at + length;
    if (end > this.#bytes.length)
      throw new RangeError(`${length} bytes wanted at ${this.#at} of ${this.#bytes.length}`);
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  skip(wire: number): void {
    if (wire === 0) this.varint();
    else if (wire === 2) this.bytes();
    else if (wire === 1) this.#at += 8;
    else if (wire === 5) this.#at += 4;
    else throw new RangeError(`wire type ${wire} is unknown`);
  }
}

function writeVarint(value: bigint | number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

function withLength(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([writeVarint(bytes.length), bytes]);
}

/** `uint64` as a number, at most what a double holds exactly. */
export const count: Codec<number> = { wire: 0, write: writeVarint, read: (reader) => reader.number() };
/** `uint64`. */
export const u64: Codec<bigint> = { wire: 0, write: writeVarint, read: (reader) => reader.varint() };
/** `int64`. */
export const i64: Codec<bigint> = { wire: 0, write: writeVarint, read: (reader) => BigInt.asIntN(64, reader.varint()) };
/** `int32` and enumerations. */
export const i32: Codec<number> = {
  wire: 0,
  write: writeVarint,
  read: (reader) => Number(BigInt.asIntN(32, reader.varint())),
};
export const bool: Codec<boolean> = {
  wire: 0,
  write: (value) => Uint8Array.of(value ? 1 : 0),
  read: (reader) => reader.varint() !== 0n,
};
export const double: Codec<number> = {
  wire: 1,
  write(value) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes;
  },
  read: (reader) => reader.double(),
};
export const bytes: Codec<Uint8Array> = { wire: 2, write: withLength, read: (reader) => reader.bytes() };
export const text: Codec<string> = {
  wire: 2,
  write: (value) => withLength(Buffer.from(value, 'utf8')),
  read: (reader) => reader.bytes().toString('utf8'),
};

export function nested<Value>(type: Message<Value>): Codec<Value> {
  return {
    wire: 2,
    write: (value) => withLength(type.encode(value)),
    read: (reader) => type.decode(reader.bytes()),
  };
}

function written<Value>(number: number, codec: Codec<Value>, value: Value): Uint8Array[] {
  return [writeVarint(number * 8 + codec.wire), codec.write(value)];
}

function isNothing(value: unknown): boolean {
  return value === 0 || value === 0n || value === false || value === '' || (value as Uint8Array).length === 0;
}

/** Its default is not written. */
export function one<Value>(number: number, codec: Codec<Value>, nothing: Value): Field<Value> {
  return {
    number,
    absent: () => nothing,
    write: (value) => (isNothing(value) ? [] : written(number, codec, value)),
    read: (reader) => codec.read(reader),
  };
}

export function maybe<Value>(number: number, codec: Codec<Value>): Field<Value | null> {
  return {
    number,
    absent: () => null,
    write: (value) => (value === null ? [] : written(number, codec, value)),
    read: (reader) => codec.read(reader),
  };
}

/** Writes numbers packed; reads both forms. */
export function many<Value>(number: number, codec: Codec<Value>): Field<readonly Value[]> {
  const isPacked = codec.wire !== 2;
  return {
    number,
    absent: () => [],
    write(values) {
      if (values.length === 0) return [];
      if (!isPacked) return values.flatMap((value) => written(number, codec, value));
      return [writeVarint(number * 8 + 2), withLength(Buffer.concat(values.map((value) => codec.write(value))))];
    },
    read(reader, wire, before) {
      // Created by `absent` for this message.
      const values = before as Value[];
      if (!isPacked || wire !== 2) values.push(codec.read(reader));
      else for (const packed = new Reader(reader.bytes()); !packed.isAtEnd;) values.push(codec.read(packed));
      return values;
    },
  };
}

/** Repeated messages of key (1) and value (2). */
export function byName<Value>(number: number, type: Message<Value>): Field<ReadonlyMap<string, Value>> {
  const entry = message({ key: one(1, text, ''), value: maybe(2, nested(type)) });
  return {
    number,
    absent: () => new Map(),
    write: (values) => [...values].flatMap(([key, value]) => written(number, nested(entry), entry.of({ key, value }))),
    read(reader, _wire, before) {
      const { key, value } = entry.decode(reader.bytes());
      return (before as Map<string, Value>).set(key, value ?? type.of({}));
    },
  };
}

export function message<
  Table extends {
    readonly [Name in keyof Table]: Field<never> | Field<Table[Name] extends Field<infer Value> ? Value : never>;
  },
>(table: Table): Message<Content<Table>> {
  type Value = Content<Table>;
  const fields = Object.entries<Field<unknown>>(table);
  const byNumber = new Map(fields.map((field) => [field[1].number, field]));
  const absent = (): Record<string, unknown> =>
    Object.fromEntries(fields.map(([name, field]) => [name, field.absent()]));
  return {
    of: (given) => ({ ...absent(), ...given }) as Value,
    encode(value) {
      const given: Readonly<Record<string, unknown>> = value;
      return Buffer.concat(fields.flatMap(([name, field]) => field.write(given[name])));
    },
    decode(bytes) {
      const reader = new Reader(bytes);
      const value = absent();
      while (!reader.isAtEnd) {
        const tag = reader.number();
        const found = byNumber.get(tag >>> 3);
        if (found) value[found[0]] = found[1].read(reader, tag & 7, value[found[0]]);
        else reader.skip(tag & 7);
      }
      return value as Value;
    },
  };
}
