/**
 * A value with exactly one JSON text: no fractions, no integers beyond 2^53 - 1. Larger amounts are decimal strings.
 */
export type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [key: string]: CanonicalValue };

/**
 * JSON with sorted keys and no white space. For these values it equals RFC 8785 (JSON Canonicalization Scheme), which
 * orders keys as JavaScript orders strings.
 * @throws RangeError for unsafe integers and for text with a lone surrogate
 */
export function canonicalJson(value: CanonicalValue): string {
  if (typeof value === 'string') return textOf(value);
  if (typeof value === 'number') return integerOf(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${textOf(key)}:${canonicalJson(one)}`).join(',')}}`;
}

function isList(value: object): value is readonly CanonicalValue[] {
  return Array.isArray(value);
}

function integerOf(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer that JSON keeps exactly`);
  return String(value);
}

function textOf(value: string): string {
  if (!value.isWellFormed())
    throw new RangeError(`${JSON.stringify(value)} has a lone surrogate, which UTF-8 cannot hold`);
  return JSON.stringify(value);
}
