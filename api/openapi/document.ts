import type { Feature, Features } from '../features.ts';
import { SuccessSchema } from '../schemas/envelope.ts';

/** A JSON object of the document. */
type Json = Record<string, unknown>;

/** What a schema says of its feature: leave me out, or describe me otherwise, while it is off. */
type FeatureNote = {
  /** The property or parameter exists only while this feature is on. */
  readonly 'x-feature'?: Feature;
  /** Its description while a feature is off. */
  readonly 'x-description-without'?: Readonly<Partial<Record<Feature, string>>>;
};

/** Schema options of a property that exists only while a feature is on: `Type.Number(ofFeature('devBuys', { … }))`. */
export function ofFeature<Options extends object>(feature: Feature, options: Options): Options & FeatureNote {
  return { ...options, 'x-feature': feature };
}

/** Schema options of a property whose description changes while a feature is off. */
export function describedWithout<Options extends object>(
  feature: Feature,
  text: string,
  options: Options,
): Options & FeatureNote {
  return { ...options, 'x-description-without': { [feature]: text } };
}

/** What a request says of the document it gets. */
export interface DocumentRequest {
  /** Scheme and host the client asked, without a trailing slash. */
  readonly origin: string;
  /** Root of the versioned API; paths outside it are left out. */
  readonly basePath: string;
  readonly features: Features;
  /** `coarse`: of a success only that it has `data` and `meta`. `full`: every field. */
  readonly detail: 'coarse' | 'full';
}

/** Fits the collected document to a request: paths relative to the versioned root, its origin as server, nothing of a feature that is off. */
export function fitDocument(document: Json, { origin, basePath, features, detail }: DocumentRequest): Json {
  const shaped = (item: unknown) => (detail === 'coarse' ? coarsened(item) : item);
  const paths = Object.entries(isObject(document['paths']) ? document['paths'] : {})
    .filter(([path]) => path.startsWith(`${basePath}/`))
    .map(([path, item]) => [path.slice(basePath.length), withoutFeatures(shaped(item), features)] as const)
    .filter(([, item]) => isObject(item) && Object.keys(item).length > 0);
  return { ...document, servers: [{ url: `${origin}${basePath}` }], paths: Object.fromEntries(paths) };
}

/** A path's operations with coarse answers: what a success holds is in the full document, as are fields beside an error. */
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

function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

/** A copy without the properties and parameters of features that are off, and without our own keywords. */
function withoutFeatures(node: unknown, features: Features): unknown {
  if (Array.isArray(node))
    return node.filter((item) => isOffered(item, features)).map((item) => withoutFeatures(item, features));
  if (!isObject(node)) return node;
  const kept = Object.entries(node).filter(([key, value]) => !key.startsWith('x-') && isOffered(value, features));
  const copy: Json = Object.fromEntries(kept.map(([key, value]) => [key, withoutFeatures(value, features)]));
  return { ...copy, ...requiredOf(node, copy), ...describedFor(node, features) };
}

/** The schema of a parameter stands one level below the parameter itself. */
function isOffered(value: unknown, features: Features): boolean {
  if (!isObject(value)) return true;
  const note: FeatureNote = isObject(value['schema']) ? value['schema'] : value;
  const feature = note['x-feature'];
  return feature === undefined || features[feature];
}

/** What has a default may be left out, though the validated request always has it; what is not offered is not asked for. */
function requiredOf(node: Json, copy: Json): Json {
  const { required } = node;
  if (required === true && hasDefault(copy['schema'])) return { required: false };
  const properties = copy['properties'];
  if (!Array.isArray(required) || !isObject(properties)) return {};
  return {
    required: required.filter((name) => isObject(properties[String(name)]) && !hasDefault(properties[String(name)])),
  };
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
