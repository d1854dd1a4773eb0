import Type, { type Static } from 'typebox';
import type { LookAlike } from '../../db/look-alikes.ts';
import { LIKENESSES } from '../../domain/look-alike.ts';
import { address, record, text } from './fields.ts';

export const SimilarToSchema = record(
  {
    mint: address('The other token'),
    name: text('Its name'),
    symbol: text('Its symbol'),
    kind: Type.Enum(['pair', 'graduated', 'token'], {
      title: 'SimilarKind',
      description: 'A listed quote token, or a token that was launched here earlier',
    }),
    why: Type.Enum([...LIKENESSES], {
      title: 'Likeness',
      description: 'Which of this token’s texts is the same, or looks alike',
    }),
  },
  'Another token that this one can be taken for: a listed quote token or an earlier launch. A note, never a refusal',
);

export function similarToAnswer({ mint, name, symbol, kind, why }: LookAlike): Static<typeof SimilarToSchema> {
  return { mint, name, symbol, kind, why };
}
