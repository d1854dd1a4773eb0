import bs58 from 'bs58';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { TradeMark } from '../../db/market/trades.ts';
import { AppError } from '../../domain/errors.ts';
import { SignatureSchema } from '../schemas/parameters.ts';

/** Slot and place in it, signature, index: the order of the chain. */
const MarkShape = Compile(
  Type.Tuple([
    Type.String({ pattern: '^\\d{1,18}$' }),
    Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
    SignatureSchema,
    Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  ]),
);

/** Writes where a page ended as a text that means nothing to clients. */
export function toCursor({ slot, slotOrder, signature, index }: TradeMark): string {
  return Buffer.from(JSON.stringify([String(slot), slotOrder, signature, index])).toString('base64url');
}

/** Reads a cursor. Throws 400 for one that no page of trades ended with. */
export function fromCursor(cursor: string): TradeMark {
  const mark = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (!MarkShape.Check(mark) || bs58.decodeUnsafe(mark[2])?.length !== 64) {
    throw new AppError('invalid_request', 'query parameter "cursor" is not the `nextCursor` of an earlier answer');
  }
  const [slot, slotOrder, signature, index] = mark;
  return { slot: BigInt(slot), slotOrder, signature, index };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: like anything else that is no cursor of ours.
    return null;
  }
}
