import { hash } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { readCursor, writeCursor } from '../../domain/cursor-text.ts';
import { MalformedError } from '../errors.ts';

/** Error for a cursor of another list, or an invented one. */
export function noCursor(): MalformedError {
  return new MalformedError('query parameter "cursor" is not the `nextCursor` of an earlier answer');
}

/** Cursors of one kind of list. `of`: whose list it is, such as a wallet; `''` for one of the whole platform. */
export interface Cursors<Place> {
  write(of: string, place: Place): string;
  /** @throws MalformedError for another list's, also of another wallet or token */
  read(of: string, cursor: string): Place;
}

/** Each cursor names its list: places of two lists can have the same shape. */
export function cursorsOf<const Shape extends TSchema>(list: string, shape: Shape): Cursors<Static<Shape>> {
  const check = Compile(shape);
  return {
    write: (of, place) => writeCursor([nameOf(list, of), place]),
    read: (of, cursor) => {
      const read = readCursor(cursor);
      const [name, place, ...others] = Array.isArray(read) ? (read as readonly unknown[]) : [];
      if (name === nameOf(list, of) && others.length === 0 && check.Check(place)) return place;
      throw noCursor();
    },
  };
}

/** Short: a cursor is part of a URL. */
function nameOf(list: string, of: string): string {
  return hash('sha256', `${list} ${of}`, 'base64url').slice(0, 11);
}
