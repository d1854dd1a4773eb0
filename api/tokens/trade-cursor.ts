import bs58 from 'bs58';
import Type from 'typebox';
import type { TradeMark } from '../../db/market/trades.ts';
import { cursorsOf, noCursor } from '../answers/cursor.ts';
import { SignatureSchema } from '../schemas/parameters.ts';

/** Slot, place, signature, index: the chain's order. */
const cursors = cursorsOf(
  'trades',
  Type.Tuple([
    Type.String({ pattern: '^\\d{1,18}$' }),
    Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
    SignatureSchema,
    Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  ]),
);

/** `of`: the token or wallet whose trades they are. */
export function toCursor(of: string, { slot, slotOrder, signature, index }: TradeMark): string {
  return cursors.write(of, [String(slot), slotOrder, signature, index]);
}

/** @throws MalformedError for another list's, also of another token or wallet */
export function fromCursor(of: string, cursor: string): TradeMark {
  const [slot, slotOrder, signature, index] = cursors.read(of, cursor);
  if (bs58.decodeUnsafe(signature)?.length !== 64) throw noCursor();
  return { slot: BigInt(slot), slotOrder, signature, index };
}
