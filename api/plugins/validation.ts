import type { FastifySchemaCompiler } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';
import { AppError } from '../../domain/errors.ts';
import type { ApiInstance } from '../instance.ts';
import { describeProblems } from './validation-messages.ts';

const NoParametersSchema = Type.Object({}, { additionalProperties: false });

/**
 * Validates with TypeBox itself instead of Fastify's ajv defaults, which drop unknown fields and turn a parameter `1.5` into
 * 1: what a client sends is accepted as it is or refused by name.
 */
export function registerValidation(app: ApiInstance): void {
  app.setValidatorCompiler(strictValidatorCompiler);
  // Response schemas document; what is sent is what the handler returns.
  app.setSerializerCompiler(() => (payload) => JSON.stringify(payload));
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: NoParametersSchema, ...route.schema };
    for (const part of ['querystring', 'body'] as const) refuseOpenSchema(route.url, part, route.schema[part]);
  });
}

/** Builds the check of one part of a request. It answers an AppError `invalid_request` that names the parameter and the value. */
export const strictValidatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema);
  const part = httpPart ?? 'body';
  return (input: unknown) => {
    const value = Value.Default(schema, part === 'body' ? input : readStrings(schema, input));
    if (check.Check(value)) return { value };
    const problems: TLocalizedValidationError[] = check.Errors(value);
    return { error: new AppError('invalid_request', describeProblems(part, value, problems)) };
  };
};

/** A schema that lets unknown fields pass is a mistake of ours, found when the endpoint is registered. */
function refuseOpenSchema(url: string, part: string, schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  if ('additionalProperties' in schema && schema.additionalProperties === false) return;
  throw new TypeError(`the ${part} schema of ${url} must have additionalProperties: false`);
}

/** Reads numbers and booleans out of query and path strings; what is not plainly one stays a string and fails the check. */
function readStrings(schema: TSchema, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('properties' in schema)) return input;
  const properties = schema.properties as Record<string, TSchema | undefined>;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? readString(properties[name], value) : (value as unknown),
    ]),
  );
}

function readString(schema: TSchema | undefined, value: unknown): unknown {
  if (typeof value !== 'string' || !schema || !('type' in schema)) return value;
  if (schema.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (schema.type === 'integer') return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (schema.type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
  return value;
}
