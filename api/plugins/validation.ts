import type { FastifySchemaCompiler } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';
import { AppError } from '../../domain/errors.ts';
import { MalformedError } from '../errors.ts';
import type { ApiInstance } from '../instance.ts';
import { readStrings } from './read-strings.ts';
import { describeProblems } from './validation-messages.ts';

const NoParametersSchema = Type.Object({}, { additionalProperties: false });

/**
 * Validates with TypeBox itself instead of Fastify's ajv defaults, which drop unknown fields of a body and turn a parameter
 * `1.5` into 1. A body is accepted as it is or refused by name; query parameters that nobody knows are left alone, because
 * clients of other platforms send them.
 */
export function registerValidation(app: ApiInstance): void {
  app.setValidatorCompiler(validatorCompiler);
  // Response schemas document, and tests check what is sent by them; what is sent is what the handler returns.
  app.setSerializerCompiler(() => (payload) => JSON.stringify(payload));
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: NoParametersSchema, ...route.schema };
    for (const part of ['querystring', 'body'] as const) refuseOpenSchema(route.url, part, route.schema[part]);
  });
}

/** Builds the check of one part of a request. It answers a MalformedError that names the parameter and the value. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema);
  const part = httpPart ?? 'body';
  const problemsOf = (value: unknown) => {
    const problems: TLocalizedValidationError[] = check.Errors(value);
    return describeProblems(part, value, problems);
  };
  return (input: unknown) => {
    if (part === 'params' && hasEmpty(input))
      return { error: new AppError('not_found', 'there is nothing at this path') };
    const value = Value.Default(schema, part === 'body' ? input : readStrings(schema, input));
    if (check.Check(value)) return { value };
    return { error: new MalformedError(crowdOf(part, value) ?? problemsOf(value)) };
  };
};

/** More fields than any object of a request has. */
const MOST_FIELDS = 100;

/** Says that an object of a request has so many fields that looking for each one's fault would hold up everybody else. */
function crowdOf(part: string, value: unknown): string | undefined {
  const open: unknown[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const inner: unknown[] = Object.values(one);
    if (!Array.isArray(one) && inner.length > MOST_FIELDS)
      return `an object of the ${part} has ${inner.length} fields; at most ${MOST_FIELDS} are read`;
    // Not spread into the call, which takes only so many.
    for (const item of inner) if (typeof item === 'object') open.push(item);
  }
  return undefined;
}

/** A path that ends where a name should be, as `/tokens/`: the router takes the nothing behind it for the name. */
function hasEmpty(params: unknown): boolean {
  return typeof params === 'object' && params !== null && Object.values(params).includes('');
}

/** A schema that lets unknown fields pass is a mistake of ours, found when the endpoint is registered. */
function refuseOpenSchema(url: string, part: string, schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  if ('additionalProperties' in schema && schema.additionalProperties === false) return;
  throw new TypeError(`the ${part} schema of ${url} must have additionalProperties: false`);
}
