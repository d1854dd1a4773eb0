import { differenceFrom, type Shape } from '../http/shape.ts';
import type { Store } from './store.ts';

/** What a store keeps of one kind of work, and how it is told from anything else. */
export interface KeptKind<Kept> {
  /** For messages. */
  readonly name: string;
  readonly shape: Shape;
  isKept(value: unknown): value is Kept;
}

/** Describes what is kept by its shape. */
export function keptKind<Kept>(name: string, shape: Shape): KeptKind<Kept> {
  return { name, shape, isKept: (value): value is Kept => differenceFrom(shape, value, name) === null };
}

/** What a store keeps; null where nothing. Throws an Error where it keeps something else: it may be money under way. */
export async function loadKept<Kept>(store: Store, kind: KeptKind<Kept>): Promise<Kept | null> {
  const text = await store.load();
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (kind.isKept(value)) return value;
  throw new Error(`the store does not keep a ${kind.name}: ${differenceFrom(kind.shape, value, kind.name)}`);
}
