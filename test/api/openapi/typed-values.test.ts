import { expect, test } from 'vitest';
import { fitDocument } from '../../../api/openapi/document.ts';
import { featuresOf } from '../../../api/features.ts';
import { dereference } from '../../../dev/client/dereference.ts';
import { ALL_ON, testApp } from '../../support/api/test-app.ts';

type Json = Readonly<Record<string, unknown>>;

/** Every schema of a document that names its values, wherever it is. */
function schemasWithValues(node: unknown): Json[] {
  if (Array.isArray(node)) return node.flatMap(schemasWithValues);
  if (typeof node !== 'object' || node === null) return [];
  const own = node as Json;
  const isOne = Array.isArray(own['enum']) || ('const' in own && typeof own['const'] !== 'object');
  return [...(isOne ? [own] : []), ...Object.values(own).flatMap(schemasWithValues)];
}

const TYPE_OF: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};

test.each(['openapi.json', 'openapi.full.json'])(
  'every enum and constant of %s has the one type of its values',
  async (file) => {
    const app = await testApp();
    const { paths } = dereference((await app.inject(`/api/public/v1/${file}`)).json<Json>());
    await app.close();
    const schemas = schemasWithValues(paths);
    expect(schemas.length).toBeGreaterThan(100);
    for (const schema of schemas) {
      const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : [schema['const']];
      const isOfType = TYPE_OF[String(schema['type'])];
      expect(isOfType, JSON.stringify(schema)).toBeDefined();
      expect(
        values.every((value) => isOfType?.(value)),
        JSON.stringify(schema),
      ).toBe(true);
    }
  },
);

test('an enum whose values are of two types is a mistake of ours', () => {
  const schema = { enum: [100, '100'] };
  const paths = { '/v1/x': { get: { parameters: [{ name: 'x', in: 'query', schema }] } } };
  const request = { origin: '', basePath: '/v1', features: featuresOf(ALL_ON), detail: 'full' } as const;
  expect(() => fitDocument({ paths }, request)).toThrow('of more than one type');
});
