import bs58 from 'bs58';
import Type from 'typebox';
import type { DistributionMark } from '../../db/reward/reward-reads.ts';
import { cursorsOf, noCursor } from '../answers/cursor.ts';
import { SignatureSchema } from '../schemas/parameters.ts';

/** Milliseconds and signature, in list order. */
const cursors = cursorsOf(
  'distributions',
  Type.Tuple([Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }), SignatureSchema]),
);

export function toCursor({ landedAt, signature }: DistributionMark): string {
  return cursors.write('', [landedAt.getTime(), signature]);
}

/** @throws MalformedError for another list's */
export function fromCursor(cursor: string): DistributionMark {
  const [landedAt, signature] = cursors.read('', cursor);
  if (bs58.decodeUnsafe(signature)?.length !== 64) throw noCursor();
  return { landedAt: new Date(landedAt), signature };
}
