import type { TSchema } from 'typebox';

/**
 * Reads what a query or path says in strings as its schema means it: numbers and booleans, integers outside a range that is
 * clamped, empty texts that count as absent, times whose `+` was read as a space. What the schema does not name is left out; what
 * is not plainly of its type stays a string and fails the check.
 */
export function readStrings(schema: TSchema, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('properties' in schema)) return input;
  const properties = schema.properties as Record<string, ParameterSchema | undefined>;
  const known = Object.entries(input).flatMap(([name, value]: [string, unknown]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property || (property['x-ignored-when-empty'] === true && isEmpty(value))) return [];
    return [[name, typeof value === 'string' ? readString(property, value) : value] as const];
  });
  return Object.fromEntries(known);
}

/** What is looked at of a parameter's schema. */
interface ParameterSchema extends TSchema {
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-clamped'?: boolean;
  readonly 'x-ignored-when-empty'?: boolean;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'string' && /^ *$/.test(value);
}

function readString(schema: ParameterSchema, text: string): unknown {
  switch (schema.type) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'integer':
      return readInteger(schema, text);
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
    default:
      return schema.format === 'date-time' ? withPlus(text) : text;
  }
}

function readInteger(schema: ParameterSchema, text: string): number | string {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (schema['x-clamped'] === true) {
    return /^-?\d{1,1000}$/.test(text) ? Math.min(maximum, Math.max(minimum, Number(text))) : text;
  }
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** A `+` that was not encoded arrives as a space: `2026-11-20T00:00:00 02:00`. */
function withPlus(text: string): string {
  return text.replace(/^(\S+[Tt]\S+) (\d{2}:\d{2})$/, '$1+$2');
}
