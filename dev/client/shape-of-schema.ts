import type { Shape } from '../../client/http/shape.ts';
import { asObject, isRequired, type Json } from './type-of-schema.ts';

/**
 * Names and types of fields; not enumeration values and patterns, so that an old client accepts what a newer API adds.
 */
export function shapeOf(schema: Json): Shape {
  const { const: only, enum: values, anyOf, type } = schema;
  if (only !== undefined) return nameOf(only);
  if (Array.isArray(values)) return oneOf(values.map(nameOf));
  if (Array.isArray(anyOf)) return oneOf(anyOf.map((each) => shapeOf(asObject(each))));
  if (type === 'array') return { listOf: shapeOf(asObject(schema['items'])) };
  if (type === 'object') return objectShape(schema);
  if (type === 'integer') return 'number';
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  throw new TypeError(`no shape is known for the schema ${JSON.stringify(schema)}`);
}

function objectShape(schema: Json): Shape {
  const { properties } = schema;
  if (properties === undefined) return { fields: {}, optional: {} };
  const all = Object.entries(asObject(properties)).map(([name, each]) => [name, shapeOf(asObject(each))] as const);
  return {
    fields: Object.fromEntries(all.filter(([name]) => isRequired(schema, name))),
    optional: Object.fromEntries(all.filter(([name]) => !isRequired(schema, name))),
  };
}

function oneOf(shapes: readonly Shape[]): Shape {
  const distinct = [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
  const [only, ...others] = distinct;
  return only !== undefined && others.length === 0 ? only : { oneOf: distinct };
}

function nameOf(value: unknown): Shape {
  if (value === null) return 'null';
  const type = typeof value;
  if (type === 'string' || type === 'number' || type === 'boolean') return type;
  throw new TypeError(`${JSON.stringify(value)} is no value of an enumeration`);
}
