import { namesOf, type Trail } from './component-names.ts';

type Json = Readonly<Record<string, unknown>>;

/** Keys that belong to a use of a shape; they make no other shape. */
const OF_THE_PLACE = ['description', 'default'] as const;

/**
 * Puts each object and enum once in `components.schemas`: generators emit one class instead of numbered copies.
 * Keywords of a use stay beside its reference.
 */
export function withComponents(document: Json): Json {
  const paths = objectOf(document['paths']);
  const trails = new Map<string, Trail>();
  overSchemas(paths, (schema, trail) => {
    collect(schema, trail, trails);
    return schema;
  });
  const names = namesOf(trails);
  const schemas = new Map<string, Json>();
  const referring = overSchemas(paths, (schema) => refer(schema, names, schemas));
  const sorted = [...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const components = { ...objectOf(document['components']), schemas: Object.fromEntries(sorted) };
  return { ...document, components, paths: referring };
}

function overSchemas(paths: Json, change: (schema: Json, trail: Trail) => Json): Json {
  return mapValues(paths, (item) =>
    mapValues(objectOf(item), (operation) => overOperation(objectOf(operation), change)),
  );
}

function overOperation(operation: Json, change: (schema: Json, trail: Trail) => Json): Json {
  const { operationId, parameters, requestBody, responses } = operation;
  const name = pascal(typeof operationId === 'string' ? operationId : 'operation');
  return {
    ...operation,
    ...(Array.isArray(parameters) && {
      parameters: parameters.map(objectOf).map((parameter) => {
        const schema = objectOf(parameter['schema']);
        return { ...parameter, schema: change(schema, trailTo(schema, String(parameter['name']), [name])) };
      }),
    }),
    ...(isObject(requestBody) && {
      requestBody: overContent(requestBody, (schema) => change(schema, [`${name}Body`])),
    }),
    ...(isObject(responses) && {
      responses: mapValues(responses, (response, status) =>
        overContent(objectOf(response), (schema) => change(schema, [answerName(name, status, schema)])),
      ),
    }),
  };
}

function answerName(operation: string, status: string, schema: Json): string {
  const properties = objectOf(schema['properties']);
  if (status === '200') return isOpen(properties['data']) ? 'Success' : `${operation}Answer`;
  return Object.keys(properties).join() === 'error' ? 'Failure' : `${operation}${status}Failure`;
}

function isOpen(schema: unknown): boolean {
  return Object.keys(objectOf(objectOf(schema)['properties'])).length === 0;
}

function overContent(holder: Json, change: (schema: Json) => Json): Json {
  if (!isObject(holder['content'])) return holder;
  const content = mapValues(holder['content'], (media) => {
    const { schema } = objectOf(media);
    return isObject(schema) ? { ...objectOf(media), schema: change(schema) } : media;
  });
  return { ...holder, content };
}

function collect(schema: Json, trail: Trail, trails: Map<string, Trail>): void {
  const shape = shapeOf(schema);
  if (isNamed(schema) && !trails.has(shape)) trails.set(shape, trail);
  overParts(schema, (part, property) => {
    collect(part, trailTo(part, property, trail), trails);
    return part;
  });
}

/** A `title` names a shape whose property is called like another one's. */
function trailTo({ title }: Json, property: string | null, trail: Trail): Trail {
  if (typeof title === 'string') return [...trail, title];
  if (property === null) return trail;
  const owner = trail.at(-1) ?? '';
  // After its operation.
  if (property === 'data' && owner.endsWith('Answer')) return [owner.replace(/Answer$/, 'Data')];
  return [...trail, pascal(property)];
}

function refer(schema: Json, names: ReadonlyMap<string, string>, schemas: Map<string, Json>): Json {
  const referring = overParts(schema, (part) => refer(part, names, schemas));
  const name = isNamed(schema) ? names.get(shapeOf(schema)) : undefined;
  if (name === undefined) return referring;
  const [shape, said] = [{ ...referring }, { ...referring }];
  for (const key of OF_THE_PLACE) delete shape[key];
  for (const key of Object.keys(shape)) delete said[key];
  schemas.set(name, shape);
  return { $ref: `#/components/schemas/${name}`, ...said };
}

/** `property`: the part's name, singular for list entries, or null. */
function overParts(schema: Json, change: (part: Json, property: string | null) => Json): Json {
  const { properties, anyOf } = schema;
  return {
    ...schema,
    ...(isObject(properties) && {
      properties: mapValues(properties, (part, name) => overProperty(objectOf(part), name, change)),
    }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((part) => change(objectOf(part), null)) }),
    ...(isObject(schema['items']) && { items: change(schema['items'], null) }),
    ...(isObject(schema['additionalProperties']) && {
      additionalProperties: change(schema['additionalProperties'], null),
    }),
  };
}

function overProperty(part: Json, name: string, change: (part: Json, property: string | null) => Json): Json {
  if (isObject(part['items'])) return { ...part, items: change(part['items'], singular(name)) };
  return change(part, name);
}

function isNamed({ type, properties, enum: values }: Json): boolean {
  return (type === 'object' && isObject(properties) && Object.keys(properties).length > 0) || Array.isArray(values);
}

/** Returns equal text for the same shape. */
function shapeOf(schema: Json): string {
  const shape = { ...schema };
  for (const key of OF_THE_PLACE) delete shape[key];
  return JSON.stringify(shape);
}

function singular(name: string): string {
  return name
    .replace(/(ch|sh|ss|x)es$/, '$1')
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1');
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
