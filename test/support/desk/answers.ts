import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import { errorOf } from '../api/errors-of.ts';
import type { Answer } from './desk-app.ts';

const MetaSchema = Type.Object({ requestId: Type.String({ minLength: 1 }) });

/** The data of a success in the envelope. Throws, with the answer, when it is none. */
export function dataOf<S extends TSchema>({ status, body }: Answer, schema: S): Static<S> {
  if (status !== 200) throw new Error(`status ${status}: ${body}`);
  const envelope = Value.Parse(Type.Object({ data: Type.Unknown(), meta: MetaSchema }), JSON.parse(body));
  return Value.Parse(schema, envelope.data);
}

/** Expects a failure in the envelope whose message matches. */
export function expectRefusal(answer: Answer, status: number, message: RegExp): void {
  expect([answer.status, errorOf(answer).message]).toEqual([status, expect.stringMatching(message)]);
}
