type Json = Readonly<Record<string, unknown>>;

/** Greatest value of a 32-bit integer, which generators take for an integer without a format. */
const MAX_INT32 = 2 ** 31 - 1;

/**
 * Types and formats of a schema without which generators emit an untyped or a too small value: an enum's type, `int64`
 * for integers beyond 32 bits (lamports, slots), `double` for numbers.
 * @throws when the values of an enum have several types
 */
export function typedForGenerators(schema: Json): Json {
  return { ...typeOfValues(schema), ...formatOf(schema) };
}

function typeOfValues(schema: Json): Json {
  const values = valuesOf(schema);
  // For a property named `enum` or `type` the value is a schema.
  if (values.length === 0 || values.some((value) => typeof value === 'object' && value !== null)) return {};
  if (typeof schema['type'] === 'string') return {};
  const types = new Set(values.map((value: unknown) => (Number.isInteger(value) ? 'integer' : typeof value)));
  const [type, ...others] = types;
  if (others.length === 0) return { type };
  throw new TypeError(`the values ${values.map(String).join(', ')} of an enum are of more than one type`);
}

function formatOf(schema: Json): Json {
  const { type, maximum } = schema;
  if (valuesOf(schema).length > 0 || schema['format'] !== undefined) return {};
  if (type === 'number') return { format: 'double' };
  const isSmall = typeof maximum === 'number' && maximum <= MAX_INT32;
  return type === 'integer' && !isSmall ? { format: 'int64' } : {};
}

function valuesOf(schema: Json): readonly unknown[] {
  if (Array.isArray(schema['enum'])) return schema['enum'];
  return 'const' in schema ? [schema['const']] : [];
}

/**
 * True for keywords of which generators make code that does not compile. For a pattern beside a time,
 * openapi-generator's Python lacks an import. For the only value of a boolean, its C# makes an enum of integers.
 */
export function breaksGenerators(schema: Json, key: string): boolean {
  return (key === 'pattern' && schema['format'] === 'date-time') || (key === 'const' && isConstantBoolean(schema));
}

/** Says the only value of a boolean in words, where the keyword is left out. */
export function constantInWords(schema: Json): Json {
  if (!isConstantBoolean(schema)) return {};
  const { description, const: value } = schema;
  const words = `always ${String(value)}`;
  return { description: typeof description === 'string' ? `${description}; ${words}` : words };
}

function isConstantBoolean({ const: value }: Json): boolean {
  return typeof value === 'boolean';
}

/**
 * A property with its default in words: where it is a keyword, openapi-typescript demands the property in requests.
 */
export function defaultInWords(property: unknown): unknown {
  if (!isObject(property) || property['default'] === undefined) return property;
  const { default: value, description, ...others } = property;
  const words = `default ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  return { ...others, description: typeof description === 'string' ? `${description}; ${words}` : words };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
