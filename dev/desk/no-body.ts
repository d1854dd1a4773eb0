import type { preHandlerAsyncHookHandler } from 'fastify';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '../../domain/errors.ts';

const EmptySchema = Type.Object({}, { additionalProperties: false });

export const acceptNoBody: preHandlerAsyncHookHandler = async ({ body }) => {
  if (body === undefined || body === null || Value.Check(EmptySchema, body)) return;
  throw new AppError('invalid_request', 'this endpoint takes no body, or an empty JSON object');
};
