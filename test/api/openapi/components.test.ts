import { expect, test } from 'vitest';
import { withComponents } from '../../../api/openapi/components.ts';
import { dereference } from '../../../dev/client/dereference.ts';
import type { Json } from '../../../dev/client/type-of-schema.ts';
import { testApp } from '../../support/api/test-app.ts';

const FILES = ['openapi.json', 'openapi.full.json'];

async function served(file: string): Promise<Json> {
  const app = await testApp();
  const document = (await app.inject(`/api/public/v1/${file}`)).json<Json>();
  await app.close();
  return document;
}

const schemasOf = (document: Json) => (document['components'] as { schemas: Readonly<Record<string, Json>> }).schemas;

/** Everything below a node that is an object. */
function nodesOf(node: unknown): Json[] {
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  if (typeof node !== 'object' || node === null) return [];
  return [node as Json, ...Object.values(node).flatMap(nodesOf)];
}

/** Whether a schema is one that generators make a class or an enum of. */
const isShape = ({ type, properties, enum: values }: Json) =>
  (type === 'object' && typeof properties === 'object' && Object.keys(properties ?? {}).length > 0) ||
  Array.isArray(values);

test.each(FILES)('every object and enum of %s has a name, and none has two', async (file) => {
  const document = await served(file);
  const schemas = schemasOf(document);
  expect(nodesOf(document['paths']).filter(isShape)).toEqual([]);
  const nested = Object.values(schemas).flatMap((schema) => nodesOf(Object.values(schema)));
  expect(nested.filter(isShape)).toEqual([]);
  const shapes = Object.values(schemas).map((schema) => JSON.stringify(schema));
  expect(new Set(shapes).size).toBe(shapes.length);
  expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
});

test('generated clients find the names that they know', async () => {
  const names = Object.keys(schemasOf(await served('openapi.full.json')));
  expect(names, '--update=true adds the names of a new endpoint').toMatchSnapshot();
});

test('references say the same as the schemas that they stand for', () => {
  const quote = { type: 'object', properties: { mint: { type: 'string' } } };
  const answer = (property: string) => ({
    operationId: `get${property}`,
    responses: {
      200: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                data: { type: 'object', properties: { [property]: { ...quote, description: `of ${property}` } } },
              },
            },
          },
        },
      },
    },
  });
  const document = { paths: { '/a': { get: answer('first') }, '/b': { get: answer('second') } } };
  const named = withComponents(document);
  expect(Object.keys(schemasOf(named)).filter((name) => /First|Second/.test(name) && !/^Get/.test(name))).toEqual([
    'First',
  ]);
  expect(dereference(named)['paths']).toEqual(document.paths);
});
