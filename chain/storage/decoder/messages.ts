import Type, { type Static } from 'typebox';
import type { PictureType } from '../pictures/picture.ts';

/** JSON: nothing more complex is deserialised. */
export interface DecoderRequest {
  readonly type: PictureType;
  readonly base64: string;
}

export const DecoderAnswerSchema = Type.Union([
  Type.Object({ kind: Type.Literal('ready') }),
  Type.Object({
    kind: Type.Literal('decoded'),
    base64: Type.String(),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
  }),
  Type.Object({ kind: Type.Literal('refused'), message: Type.String({ maxLength: 1_000 }) }),
]);

export type DecoderAnswer = Static<typeof DecoderAnswerSchema>;
