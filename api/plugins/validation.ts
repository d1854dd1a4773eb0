import type { FastifySchemaCompiler } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';
import { AppError } from '../../domain/errors.ts';
import { MalformedError } from '../errors.ts';
import type { ApiInstance } from '../instance.ts';
import { decimalCheck } from '../schemas/decimal.ts';
import { timeCheck } from '../schemas/iso-time.ts';
import { type RequestPart, readValues, type ValueSchema } from './read-values.ts';
import { describeProblems } from './validation-messages.ts';

const NoParametersSchema = Type.Object({}, { additionalProperties: false });

/**
 * TypeBox instead of Fastify's ajv, which drops unknown body fields and turns `1.5` into 1. Normalizes, then accepts or
 * rejects by name. Ignores unknown query parameters, which clients of other platforms send.
 */
export function registerValidation(app: ApiInstance): void {
  app.setValidatorCompiler(validatorCompiler);
  // Response schemas only document; tests check responses by them.
  app.setSerializerCompiler(() => (payload) => JSON.stringify(payload));
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: NoParametersSchema, ...route.schema };
    for (const part of ['querystring', 'body'] as const) refuseOpenSchema(route.url, part, route.schema[part]);
  });
}

/** Compiles the check of one request part. It returns a MalformedError that names parameter and value. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(checkedSchema(schema));
  const part = partOf(httpPart);
  const problemsOf = (value: unknown) => {
    const problems: TLocalizedValidationError[] = check.Errors(value);
    return describeProblems({ part, schema, value, problems });
  };
  return (input: unknown) => {
    if (part === 'params' && hasEmpty(input))
      return { error: new AppError('not_found', 'there is nothing at this path') };
    const value = Value.Default(schema, readValues(schema, part, input));
    if (check.Check(value)) return { value };
    return { error: new MalformedError(crowdOf(part, value) ?? problemsOf(value)) };
  };
};

function partOf(httpPart: string | undefined): RequestPart {
  return httpPart === 'params' || httpPart === 'querystring' ? httpPart : 'body';
}

/** Numbers and times are exact texts then. */
function checkedSchema(schema: TSchema): TSchema {
  if (!('properties' in schema)) return schema;
  const properties = Object.entries(schema.properties as Record<string, ValueSchema>);
  return { ...schema, properties: Object.fromEntries(properties.map(([name, one]) => [name, checkedProperty(one)])) };
}

function checkedProperty(property: ValueSchema): TSchema {
  if (property['x-decimal'] === true) return decimalCheck(property);
  return property.format === 'date-time' ? timeCheck() : property;
}

/** More than any request object has. */
const MOST_FIELDS = 100;

/** Describing each field's problem would block other requests. */
function crowdOf(part: string, value: unknown): string | undefined {
  const open: unknown[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const inner: unknown[] = Object.values(one);
    if (!Array.isArray(one) && inner.length > MOST_FIELDS)
      return `an object of the ${part} has ${inner.length} fields; at most ${MOST_FIELDS} are read`;
    // A spread call limits the number of arguments.
    for (const item of inner) if (typeof item === 'object') open.push(item);
  }
  return undefined;
}

/** True for paths such as `/tokens/`: the router takes the empty end for the name. */
function hasEmpty(params: unknown): boolean {
  return typeof params === 'object' && params !== null && Object.values(params).includes('');
}

/** Refuses a schema that accepts unknown fields: a bug, detected at registration. */
function refuseOpenSchema(url: string, part: string, schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  if ('additionalProperties' in schema && schema.additionalProperties === false) return;
  throw new TypeError(`the ${part} schema of ${url} must have additionalProperties: false`);
}
