import type { LightMyRequestResponse } from 'fastify';
import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import type { ApiInstance } from '../../../api/instance.ts';
import { dereference } from '../../../dev/client/dereference.ts';
import type { Json } from '../../../dev/client/type-of-schema.ts';

const ROOT = '/api/public/v1';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
}
type Responses = Readonly<Record<string, { readonly content: Readonly<Record<string, { readonly schema: TSchema }>> }>>;

/** What an answer has that the document does not say of its operation and status; nothing where it fits. */
export type Judge = (method: string, path: string, answer: LightMyRequestResponse) => string[];

/** Judges answers as a program can that has only the document which the API serves of itself; paths are below the versioned root. */
export async function judgeByDocument(app: ApiInstance): Promise<Judge> {
  const served = (await app.inject(`${ROOT}/openapi.full.json`)).json<Json>();
  const { paths } = dereference(served) as unknown as Document;
  const templates = Object.keys(paths).map((path) => ({ path, pattern: patternOf(path) }));
  return (method, path, answer) => {
    const plain = path.split('?')[0] ?? '';
    const { path: template } = fewestPlaces(templates.filter(({ pattern }) => pattern.test(plain)));
    const responses = paths[template]?.[method.toLowerCase()]?.responses;
    const schema = responses?.[String(answer.statusCode)]?.content['application/json']?.schema;
    if (schema === undefined) return [`${method} ${template} ${answer.statusCode} is not in the document`];
    return Errors(schema, answer.json()).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  };
}

const patternOf = (template: string) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);

/** `/launches/prepare` and not `/launches/{paymentSignature}`. */
function fewestPlaces<T extends { readonly path: string }>(templates: readonly T[]): T {
  const [first] = templates.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  if (!first) throw new Error('the document has no such path');
  return first;
}
