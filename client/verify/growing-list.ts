import { sha256 } from '@noble/hashes/sha2.js';
import { ApiError, NoAnswerError } from '../http/api-error.ts';
import { isRecord } from '../http/shape.ts';
import { canonicalJson, type CanonicalValue } from '../proof/canonical-json.ts';
import { mustEqual, NotProvable } from './check.ts';

/** A list that only grows, as an earlier run saw it. */
export interface KeptList {
  readonly count: number;
  /** Of those entries, hex. */
  readonly hash: string;
}

/** An entry of a list that only grows; a number has one entry. */
export type Entry = { readonly number: number } & { readonly [field: string]: CanonicalValue };

export function keptOf(entries: readonly Entry[]): KeptList {
  return { count: entries.length, hash: hashOf(entries) };
}

function hashOf(entries: readonly Entry[]): string {
  const hash = sha256.create();
  for (const entry of entries) hash.update(new TextEncoder().encode(`${canonicalJson(entry)}\n`));
  return [...hash.digest()].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @throws NotProvable where the text is none of this command's */
export function readKept(text: string, source: string): KeptList {
  const kept = parsed(text, source);
  if (isRecord(kept) && typeof kept['count'] === 'number' && typeof kept['hash'] === 'string')
    return { count: kept['count'], hash: kept['hash'] };
  throw new NotProvable(`${source} has not what an earlier run kept`);
}

function parsed(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NotProvable(`${source} is not JSON`, cause);
  }
}

/**
 * Reads a public list.
 * @throws NotProvable where the API does not show it
 */
export async function shown<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof ApiError || cause instanceof NoAnswerError)
      throw new NotProvable(`it is not shown: ${cause.message}`, cause);
    throw cause;
  }
}

export function checkGrowing(entries: readonly Entry[], kept: KeptList | null, source: string): string {
  for (const [index, { number }] of entries.entries()) {
    const expected = { value: String(index + 1), from: 'numbers without gaps' };
    mustEqual('an entry is missing or out of place', expected, { value: String(number), from: source });
  }
  if (kept === null) return `${entries.length} entries without gaps`;
  const before = { value: `${kept.count} entries, hash ${kept.hash}`, from: 'the earlier run' };
  const now = keptOf(entries.slice(0, kept.count));
  mustEqual('entries that were shown before have changed', before, {
    value: `${now.count} entries, hash ${now.hash}`,
    from: source,
  });
  return `${entries.length} entries without gaps, the first ${kept.count} as an earlier run saw them`;
}
