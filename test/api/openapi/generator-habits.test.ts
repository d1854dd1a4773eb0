import { beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../dev/client/type-of-schema.ts';
import { testApp } from '../../support/api/test-app.ts';

const FILES = ['openapi.json', 'openapi.full.json'] as const;
const documents = new Map<string, Json>();
beforeAll(async () => {
  const app = await testApp();
  for (const file of FILES) documents.set(file, (await app.inject(`/api/public/v1/${file}`)).json<Json>());
  await app.close();
});

interface Node {
  readonly path: string;
  readonly value: Json;
}

/** Every object of the document, with its path. */
function nodesOf(value: unknown, path = ''): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([name, child]) => nodesOf(child, `${path}/${name}`));
  return Array.isArray(value) ? below : [{ path, value: value as Json }, ...below];
}

const schemaNames = (document: Json) => Object.keys((document['components'] as { schemas: Json }).schemas);
const operationIds = (document: Json) =>
  nodesOf(document['paths']).flatMap(({ value }) =>
    typeof value['operationId'] === 'string' ? [value['operationId']] : [],
  );
const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);
/** As generators write a name, in whatever case. */
const folded = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();

/** Types that languages have already: a class of the name hides them. */
const BUILTIN =
  /^(Any|Array|Boolean|Bool|Class|Client|Configuration|Date|DateTime|Decimal|Dict|Enum|Exception|File|Float|Function|Int|Integer|List|Map|None|Number|Object|Option|Optional|Promise|Record|Result|Self|Set|String|Task|Tuple|Type|Union|Unset|Uri|Url|Void)$/;

/** What generators stumbled over elsewhere, and where the document does it. */
const HABITS: readonly (readonly [what: string, places: (document: Json) => readonly string[]])[] = [
  [
    'two operations whose names differ in case alone, so that one method replaces the other',
    (document) => repeated(operationIds(document).map(folded)),
  ],
  [
    'two schemas whose names differ in case alone, so that one file replaces the other',
    (document) => repeated(schemaNames(document).map(folded)),
  ],
  [
    'a schema named as a type of the language',
    (document) => schemaNames(document).filter((name) => BUILTIN.test(name)),
  ],
  [
    'two properties of a schema that become one field',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) => {
        const names = path.endsWith('/properties') ? Object.keys(value).map(folded) : [];
        return repeated(names).map((name) => `${path}: ${name}`);
      }),
  ],
  [
    'a property whose name begins with no letter',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) =>
        path.endsWith('/properties')
          ? Object.keys(value)
              .filter((name) => !/^[a-z]/.test(name))
              .map((name) => `${path}: ${name}`)
          : [],
      ),
  ],
  [
    'an enum that may be null and does not list it, so that null is refused',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) => {
        const isNullable =
          value['nullable'] === true || (Array.isArray(value['type']) && value['type'].includes('null'));
        return isNullable && Array.isArray(value['enum']) && !value['enum'].includes(null) ? [path] : [];
      }),
  ],
  [
    'a property that can only be null, which has no type to be generated',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) =>
        path.endsWith('/properties')
          ? Object.entries(value)
              .filter(([, property]) => (property as Json)['type'] === 'null')
              .map(([name]) => `${path}: ${name}`)
          : [],
      ),
  ],
  [
    'an integer beyond 32 bits that does not say so: a number of lamports or a slot overflows',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) => {
        const isSmall = typeof value['maximum'] === 'number' && value['maximum'] < 2 ** 31;
        return value['type'] === 'integer' && !isSmall && !Array.isArray(value['enum']) && value['format'] !== 'int64'
          ? [path]
          : [];
      }),
  ],
  [
    'a number that is not of double precision, so that a figure is rounded to seven digits',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) =>
        value['type'] === 'number' && value['format'] !== 'double' ? [path] : [],
      ),
  ],
  [
    'a boolean of one value, of which openapi-generator makes C# that does not compile',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) =>
        value['type'] === 'boolean' && ('const' in value || 'enum' in value) ? [path] : [],
      ),
  ],
  [
    'a time with a pattern, for which openapi-generator writes Python that cannot be imported',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) =>
        value['format'] === 'date-time' && 'pattern' in value ? [path] : [],
      ),
  ],
  [
    'a property with a default, which openapi-typescript demands in every request',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) =>
        /\/properties\/\w+$/.test(path) && 'default' in value ? [path] : [],
      ),
  ],
  [
    'a default that is none of the enum',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) =>
        Array.isArray(value['enum']) && 'default' in value && !value['enum'].includes(value['default']) ? [path] : [],
      ),
  ],
  [
    'a reference that leads nowhere',
    (document) => {
      const known = new Set(schemaNames(document).map((name) => `#/components/schemas/${name}`));
      return nodesOf(document).flatMap(({ path, value }) =>
        typeof value['$ref'] === 'string' &&
        value['$ref'].startsWith('#/components/schemas/') &&
        !known.has(value['$ref'])
          ? [path]
          : [],
      );
    },
  ],
  [
    'a required field that is not described',
    (document) =>
      nodesOf(document).flatMap(({ path, value }) => {
        const properties = value['properties'];
        if (!Array.isArray(value['required']) || typeof properties !== 'object' || properties === null) return [];
        return value['required']
          .filter((name) => !(String(name) in properties))
          .map((name) => `${path}: ${String(name)}`);
      }),
  ],
];

test.each(FILES.flatMap((file) => HABITS.map(([what, places]) => [file, what, places] as const)))(
  '%s has not %s',
  (file, _what, places) => {
    expect(places(documents.get(file)!)).toEqual([]);
  },
);
