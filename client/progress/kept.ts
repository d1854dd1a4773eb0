import { differenceFrom, type Shape } from '../http/shape.ts';
import type { Store } from './store.ts';

/** What a store keeps of one kind of work, and how it is told from anything else. */
export interface KeptKind<Kept> {
  /** For messages. */
  readonly name: string;
  readonly shape: Shape;
  isKept(value: unknown): value is Kept;
}

/** A store keeps something that cannot be gone on with: damaged, or of another kind. It may be money under way, so nothing is signed. */
export class UnreadableStoreError extends Error {
  /** What it keeps. */
  readonly kept: string;

  constructor(message: string, kept: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnreadableStoreError';
    this.kept = kept;
  }
}

/** Describes what is kept by its shape. */
export function keptKind<Kept>(name: string, shape: Shape): KeptKind<Kept> {
  return { name, shape, isKept: (value): value is Kept => differenceFrom(shape, value, name) === null };
}

/** What a store keeps; null where nothing. Throws an UnreadableStoreError where it keeps something else. */
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
