import type { Feature, Features } from '../features.ts';
import { SuccessSchema } from '../schemas/envelope.ts';
import { breaksGenerators, constantInWords, defaultInWords, typedForGenerators } from './typed-for-generators.ts';

type Json = Record<string, unknown>;

const JSON_TYPE = 'application/json';

const TYPED = 'This document with every field of each answer, and examples';

/** Marks what is omitted, or described differently, while a feature is off. */
type FeatureNote = {
  /** Exists only while this feature is on. */
  readonly 'x-feature'?: Feature;
  /** Its description while a feature is off. */
  readonly 'x-description-without'?: Readonly<Partial<Record<Feature, string>>>;
};

/** @example Type.Number(ofFeature('devBuys', { … })) */
export function ofFeature<Options extends object>(feature: Feature, options: Options): Options & FeatureNote {
  return { ...options, 'x-feature': feature };
}

/** Marks an operation that also answers as CSV where the client asks for it; the text describes its lines. */
export const alsoCsv = (description: string) => ({ 'x-csv': description }) as const;

/** Adds a description that holds while a feature is off. */
export function describedWithout<Options extends object>(
  feature: Feature,
  text: string,
  options: Options,
): Options & FeatureNote {
  return { ...options, 'x-description-without': { [feature]: text } };
}

export interface DocumentRequest {
  /** Scheme and host, no trailing slash. */
  readonly origin: string;
  /** Other paths are omitted. */
  readonly basePath: string;
  readonly features: Features;
  /** `coarse`: a success shows only `data` and `meta`. */
  readonly detail: 'coarse' | 'full';
  readonly examples?: Examples;
}

/** Examples by operation, such as `GET /tokens`. */
export type Examples = Readonly<Record<string, unknown>>;

export function fitDocument(document: Json, request: DocumentRequest): Json {
  const { origin, basePath, features, detail, examples = {} } = request;
  const shaped = (item: unknown) => (detail === 'coarse' ? coarsened(item) : withCsv(item));
  const paths = Object.entries(isObject(document['paths']) ? document['paths'] : {})
    .filter(([path]) => path.startsWith(`${basePath}/`))
    .map(([path, item]) => [path.slice(basePath.length), withoutFeatures(shaped(item), features)] as const)
    .filter(([, item]) => isObject(item) && Object.keys(item).length > 0)
    .map(([path, item]) => [path, detail === 'full' ? withExamples(path, item, examples) : item] as const);
  const root = `${origin}${basePath}`;
  return {
    ...document,
    ...(detail === 'coarse' && { externalDocs: { description: TYPED, url: `${root}/openapi.full.json` } }),
    servers: [{ url: root }],
    paths: Object.fromEntries(paths),
  };
}

function coarsened(item: unknown): unknown {
  if (!isObject(item)) return item;
  return mapValues(item, (operation) =>
    isObject(operation) && isObject(operation['responses'])
      ? { ...operation, responses: mapValues(operation['responses'], coarseResponse) }
      : operation,
  );
}

function coarseResponse(response: unknown, status: string): unknown {
  if (!isObject(response) || !isObject(response['content'])) return response;
  return {
    ...response,
    content: mapValues(response['content'], (media) => {
      if (!isObject(media)) return media;
      return { ...media, schema: status === '200' ? { ...SuccessSchema } : withErrorAlone(media['schema']) };
    }),
  };
}

function withErrorAlone(schema: unknown): unknown {
  if (!isObject(schema) || !isObject(schema['properties'])) return schema;
  const { error } = schema['properties'];
  return { type: 'object', required: ['error'], properties: { error } };
}

/** CSV comes second: generators take the first type of a response for its type. */
function withCsv(item: unknown): unknown {
  if (!isObject(item)) return item;
  return mapValues(item, (operation) => {
    if (!isObject(operation) || typeof operation['x-csv'] !== 'string') return operation;
    const csv = { schema: { type: 'string', description: operation['x-csv'] } };
    return withSuccess(operation, (content) => ({ ...content, 'text/csv': csv }));
  });
}

function withSuccess(operation: Json, change: (content: Json) => Json): Json {
  const { responses } = operation;
  if (!isObject(responses)) return operation;
  const success = responses['200'];
  if (!isObject(success) || !isObject(success['content'])) return operation;
  return { ...operation, responses: { ...responses, 200: { ...success, content: change(success['content']) } } };
}

function withExamples(path: string, item: unknown, examples: Examples): unknown {
  if (!isObject(item)) return item;
  return mapValues(item, (operation, method) => {
    const example = examples[`${method.toUpperCase()} ${path}`];
    if (example === undefined || !isObject(operation)) return operation;
    return withSuccess(operation, (content) =>
      mapValues(content, (media, type) => (type === JSON_TYPE && isObject(media) ? { ...media, example } : media)),
    );
  });
}

function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function withoutFeatures(node: unknown, features: Features): unknown {
  if (Array.isArray(node))
    return node.filter((item) => isOffered(item, features)).map((item) => withoutFeatures(item, features));
  if (!isObject(node)) return node;
  const kept = Object.entries(node).filter(
    ([key, value]) => !key.startsWith('x-') && !breaksGenerators(node, key) && isOffered(value, features),
  );
  const copy: Json = Object.fromEntries(kept.map(([key, value]) => [key, withoutFeatures(value, features)]));
  return {
    ...copy,
    ...typedForGenerators(node),
    ...constantInWords(node),
    ...requiredOf(node, copy),
    ...propertiesOf(copy),
    ...describedFor(node, features),
  };
}

function isOffered(value: unknown, features: Features): boolean {
  if (!isObject(value)) return true;
  const note: FeatureNote = isObject(value['schema']) ? value['schema'] : value;
  const feature = note['x-feature'];
  return feature === undefined || features[feature];
}

/** A value with a default is optional; one not offered is not required. */
function requiredOf(node: Json, copy: Json): Json {
  const { required } = node;
  if (required === true && hasDefault(copy['schema'])) return { required: false };
  const properties = copy['properties'];
  if (!Array.isArray(required) || !isObject(properties)) return {};
  return {
    required: required.filter((name) => isObject(properties[String(name)]) && !hasDefault(properties[String(name)])),
  };
}

function propertiesOf({ properties }: Json): Json {
  return isObject(properties) ? { properties: mapValues(properties, defaultInWords) } : {};
}

function hasDefault(schema: unknown): boolean {
  return isObject(schema) && schema['default'] !== undefined;
}

function describedFor(node: Json, features: Features): Json {
  const texts = (node as FeatureNote)['x-description-without'] ?? {};
  const off = (Object.keys(texts) as Feature[]).find((feature) => !features[feature]);
  return off ? { description: texts[off] } : {};
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
