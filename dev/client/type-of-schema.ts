export type Json = Readonly<Record<string, unknown>>;

/** @throws TypeError */
export function asObject(value: unknown): Json {
  if (isObject(value)) return value;
  throw new TypeError(`${JSON.stringify(value)} is not an object of an OpenAPI document`);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** @throws TypeError for a kind that this API does not use */
export function typeOf(schema: Json): string {
  const { const: only, enum: values, anyOf, type } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeOf(asObject(each))).join(' | ');
  if (type === 'array') return `readonly (${typeOf(asObject(schema['items']))})[]`;
  if (type === 'object') return objectType(schema);
  const primitive = PRIMITIVES[String(type)];
  if (primitive !== undefined) return primitive;
  throw new TypeError(`no type is known for the schema ${JSON.stringify(schema)}`);
}

function objectType(schema: Json): string {
  if (schema['properties'] === undefined) return recordType(schema['additionalProperties']);
  const properties = Object.entries(asObject(schema['properties']));
  if (properties.length === 0) return 'object';
  const fields = properties.map(([name, property]) => {
    const text = asObject(property)['description'];
    const comment = typeof text === 'string' ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : '';
    const mark = isRequired(schema, name) ? '' : '?';
    return `${comment}readonly ${propertyName(name)}${mark}: ${typeOf(asObject(property))};`;
  });
  return `{ ${fields.join('\n')} }`;
}

function recordType(values: unknown): string {
  return `Readonly<Record<string, ${isObject(values) ? typeOf(values) : 'unknown'}>>`;
}

export function isRequired(schema: Json, name: string): boolean {
  return Array.isArray(schema['required']) && schema['required'].includes(name);
}

export function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
