/** Borsh: little-endian, no padding. Throw a RangeError on overflow. */

export function u64(value: bigint): Buffer {
  return unsigned(value, 8);
}

export function u128(value: bigint): Buffer {
  return unsigned(value, 16);
}

export function i32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

export function bool(value: boolean): Buffer {
  return Buffer.of(value ? 1 : 0);
}

/** Encodes Borsh `Option::None`. */
export function none(): Buffer {
  return Buffer.of(0);
}

function unsigned(value: bigint, size: number): Buffer {
  if (value < 0n || value >= 1n << BigInt(8 * size)) throw new RangeError(`${value} does not fit ${size} bytes`);
  return Buffer.from(value.toString(16).padStart(2 * size, '0'), 'hex').reverse();
}
