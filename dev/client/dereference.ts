import { asObject, type Json } from './type-of-schema.ts';

const PREFIX = '#/components/schemas/';

/** Schemas stand where they are used; what is beside a reference counts before the component. */
export function dereference(document: Json): Json {
  const schemas = asObject(asObject(document['components'] ?? {})['schemas'] ?? {});
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...said } = asObject(node);
    const plain = Object.fromEntries(Object.entries(said).map(([key, value]) => [key, resolve(value)]));
    if (typeof $ref !== 'string') return $ref === undefined ? plain : { ...plain, $ref: resolve($ref) };
    const target = schemas[$ref.slice(PREFIX.length)];
    if (!$ref.startsWith(PREFIX) || target === undefined) throw new TypeError(`the document has no ${$ref}`);
    return { ...asObject(resolve(target)), ...plain };
  };
  return { ...document, paths: resolve(document['paths']) };
}
