export interface Tag {
  readonly name: string;
  readonly value: string;
}

/** Limits of ANS-104. */
const MAX_TAGS = 128;
const MAX_ENCODED_BYTES = 4_096;

/**
 * An Avro array of records of two byte strings, in one block; empty without tags. Throws a RangeError past the limits,
 * or for an empty name or value.
 */
export function encodeTags(tags: readonly Tag[]): Uint8Array {
  if (tags.length === 0) return new Uint8Array();
  if (tags.length > MAX_TAGS) throw new RangeError(`a data item has at most ${MAX_TAGS} tags, got ${tags.length}`);
  const items = tags.flatMap(({ name, value }) => [encodeText(name), encodeText(value)]);
  const encoded = Buffer.concat([encodeLong(tags.length), ...items, encodeLong(0)]);
  if (encoded.length > MAX_ENCODED_BYTES) {
    throw new RangeError(`the tags of a data item take at most ${MAX_ENCODED_BYTES} bytes, got ${encoded.length}`);
  }
  return encoded;
}

function encodeText(text: string): Uint8Array {
  if (text === '') throw new RangeError('a tag of a data item has a name and a value, neither empty');
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([encodeLong(bytes.length), bytes]);
}

/** Encodes Avro's zig-zag varint, non-negative only. */
function encodeLong(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value * 2;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}
