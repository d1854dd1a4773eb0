import Type from 'typebox';
import { type Cursors, cursorsOf } from './cursor.ts';

export type NumberCursors = Cursors<readonly [number]>;

/** Cursors of a list that only grows: the number that a page begins behind. */
export function growingCursors(list: string): NumberCursors {
  return cursorsOf(list, Type.Tuple([Type.Integer({ minimum: 0, maximum: 2_147_483_647 })]));
}

/** A list that only grows, and whose it is. */
export interface GrowingList {
  readonly cursors: NumberCursors;
  /** Such as an account; `''` for a list of the whole platform. */
  readonly of: string;
}

/** `rows` is read with one more than the limit. */
export function growingPage<Row extends { readonly number: number }>(
  { cursors, of }: GrowingList,
  rows: readonly Row[],
  { limit, after }: { readonly limit: number; readonly after: number },
) {
  const shown = rows.slice(0, limit);
  const nextCursor = cursors.write(of, [shown.at(-1)?.number ?? after]);
  return { rows: shown, pagination: { limit, hasMore: rows.length > limit, nextCursor } };
}

/**
 * Reads the number that a page begins behind; 0 without a cursor.
 * @throws MalformedError for a cursor of another list
 */
export function fromNumber({ cursors, of }: GrowingList, cursor: string | undefined): number {
  return cursor === undefined ? 0 : cursors.read(of, cursor)[0];
}
