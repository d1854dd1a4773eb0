import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { readCursor, writeCursor } from '../cursor-text.ts';
import type { EventPlace } from './stored-event.ts';

/** Cursor fields: generation of the log, transaction, place in it, day. */
const PlaceShape = Compile(
  Type.Tuple([
    Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    Type.String({ pattern: '^\\d{1,18}$' }),
    Type.String({ pattern: '^\\d{1,18}$' }),
    Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  ]),
);

/** Writes a place as opaque text: the id of the event before it. */
export function toCursor({ generation, xid, id, day }: EventPlace): string {
  return writeCursor([generation, String(xid), String(id), day]);
}

/** Null for text that is no cursor of this log. */
export function fromCursor(cursor: string): EventPlace | null {
  const place = readCursor(cursor);
  if (!PlaceShape.Check(place)) return null;
  const [generation, xid, id, day] = place;
  return { generation, xid: BigInt(xid), id: BigInt(id), day };
}
