import Type from 'typebox';
import { cursorsOf } from '../../../api/answers/cursor.ts';

/** A cursor of this list as a client could write it, with any place. */
export function forgedCursor(list: string, of: string, place: unknown): string {
  return cursorsOf(list, Type.Unknown()).write(of, place);
}
