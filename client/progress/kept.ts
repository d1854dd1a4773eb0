import { differenceFrom, type Shape } from '../http/shape.ts';
import type { Store } from './store.ts';

export interface KeptKind<Kept> {
  readonly name: string;
  readonly shape: Shape;
  isKept(value: unknown): value is Kept;
}

/** The store is damaged or foreign. It may hold money under way: nothing is signed. */
export class UnreadableStoreError extends Error {
  /** The record as stored. */
  readonly kept: string;

  constructor(message: string, kept: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnreadableStoreError';
    this.kept = kept;
  }
}

export function keptKind<Kept>(name: string, shape: Shape): KeptKind<Kept> {
  return { name, shape, isKept: (value): value is Kept => differenceFrom(shape, value, name) === null };
}

/** Null if empty. Throws an UnreadableStoreError for any other record. */
export async function loadKept<Kept>(store: Store, kind: KeptKind<Kept>): Promise<Kept | null> {
  const text = await store.load();
  if (text === null) return null;
  const value = valueIn(text, kind.name);
  if (kind.isKept(value)) return value;
  const difference = differenceFrom(kind.shape, value, kind.name);
  throw new UnreadableStoreError(`the store does not keep a ${kind.name}: ${difference}`, text);
}

function valueIn(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableStoreError(`the store does not keep a ${name}: it is no JSON`, text, cause);
  }
}
