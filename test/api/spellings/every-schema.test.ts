import type { TSchema } from 'typebox';
import { beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import type { RequestPart, ValueSchema } from '../../../api/plugins/read-values.ts';
import { validatorCompiler } from '../../../api/plugins/validation.ts';
import { testDeps } from '../../support/api/test-app.ts';

/** A property of a request, wherever there is one. */
interface Place {
  readonly url: string;
  readonly part: RequestPart;
  readonly name: string;
  readonly property: ValueSchema;
  readonly isRequired: boolean;
  readonly read: (value: object) => { readonly value?: unknown; readonly error?: Error };
  /** Values that the schema asks for, so that only the property in question differs. */
  readonly others: Readonly<Record<string, unknown>>;
}

let places: readonly Place[] = [];

beforeAll(async () => {
  const found: Place[] = [];
  const app = await buildApp(testDeps(), (watched) => {
    watched.addHook('onRoute', ({ url, schema, method }) => {
      if (!schema || method === 'HEAD' || url.startsWith('/local')) return;
      for (const part of ['querystring', 'body'] as const) found.push(...placesOf(url, part, schema[part]));
    });
  });
  await app.close();
  places = found;
});

function placesOf(url: string, part: RequestPart, schema: unknown): Place[] {
  if (!isObjectSchema(schema)) return [];
  const compiled = validatorCompiler({ schema, method: 'GET', url, httpPart: part });
  const read = (value: object) => compiled(value) as { value?: unknown; error?: Error };
  const required = (schema.required ?? []).filter((name) => schema.properties[name]?.default === undefined);
  const others = Object.fromEntries(required.map((name) => [name, exampleOf(schema.properties[name]!)]));
  return Object.entries(schema.properties).map(([name, property]) => {
    return { url, part, name, property, read, others, isRequired: required.includes(name) };
  });
}

type ObjectSchema = TSchema & {
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
};

function isObjectSchema(schema: unknown): schema is ObjectSchema {
  return typeof schema === 'object' && schema !== null && 'properties' in schema;
}

function exampleOf(schema: ValueSchema): unknown {
  if (schema.pattern?.startsWith('^[0-9a-f]{8}')) return '00000000-0000-4000-8000-000000000000';
  return schema.pattern === undefined ? 'x' : 'So11111111111111111111111111111111111111112';
}

/** What the handler gets for a value of the property; an error where it is refused. */
function readAs({ read, others, name }: Place, value: unknown): unknown {
  const { value: got, error } = read(value === undefined ? { ...others } : { ...others, [name]: value });
  if (error) throw new Error(`${name} ${JSON.stringify(value)}: ${error.message}`);
  return got;
}

const called = ({ url, part, name }: Place) => `${part} ${name} of ${url}`;

test('every optional value is as if it were not there when it is empty, in a body also when it is null', () => {
  const optional = places.filter(({ isRequired }) => !isRequired);
  expect(optional.length).toBeGreaterThan(40);
  for (const place of optional) {
    const absent = readAs(place, undefined);
    for (const nothing of ['', '  ', '\t\n', ...(place.part === 'body' ? [null] : [])])
      expect(readAs(place, nothing), called(place)).toEqual(absent);
  }
});

test('a required value that is empty is missing, in a body also one that is null', () => {
  const required = places.filter(({ isRequired }) => isRequired);
  expect(required.length).toBeGreaterThan(7);
  for (const place of required) {
    const nothing = place.part === 'body' ? null : '';
    expect(() => readAs(place, nothing), called(place)).toThrow(`"${place.name}" is missing`);
  }
});

test('every boolean is read in each spelling', () => {
  const booleans = places.filter(({ property }) => property.type === 'boolean');
  expect(booleans.length).toBeGreaterThan(0);
  for (const place of booleans) {
    for (const yes of ['true', 'True', 'TRUE', '1', 'yes', 'on', ' true ', 't', 'T', 'Y'])
      expect(readAs(place, yes), called(place)).toMatchObject({ [place.name]: true });
    for (const no of ['false', 'False', 'FALSE', '0', 'no', 'off', 'f', 'F', 'N'])
      expect(readAs(place, no), called(place)).toMatchObject({ [place.name]: false });
    for (const neither of [
      'maybe',
      '2',
      '-1',
      'null',
      'undefined',
      'None',
      'truefalse',
      'toString',
      '1.0',
      '"true"',
      '１',
    ])
      expect(() => readAs(place, neither), called(place)).toThrow('must be true or false');
  }
});

test('every number is read as text, in plain decimals only', () => {
  const numbers = places.filter(({ property }) => property.type === 'integer' || property.type === 'number');
  expect(numbers.length).toBeGreaterThan(15);
  for (const place of numbers) {
    const number = Number(place.property.enum?.at(-1) ?? Math.max(place.property.minimum ?? 0, 1));
    const expected = readAs(place, number);
    for (const text of [`${number}`, `${number}.0`, ` ${number} `, `+${number}`, `${number}.`, `00${number}`])
      expect(readAs(place, text), `${called(place)} ${text}`).toEqual(expected);
    for (const unclear of ['1,5', '1_000', '1e2', '0x10', '٣', 'NaN', 'Infinity', '1 000', '--1', '½', '1/2', '$1'])
      expect(() => readAs(place, unclear), `${called(place)} ${unclear}`).toThrow(place.name);
  }
});

test('every bound of a range is read as money is, with digits on either side of the point', () => {
  const bounds = places.filter(({ property }) => property.type === 'number' && property['x-decimal'] !== true);
  expect(bounds.length).toBeGreaterThan(2);
  for (const place of bounds) {
    for (const [text, read] of [
      ['.5', 0.5],
      ['5.', 5],
      ['+0.50', 0.5],
      ['0.00000000000000000000000000000001', 1e-32],
      ['000000000000000000001', 1],
    ] as const)
      expect(readAs(place, text), `${called(place)} ${text}`).toMatchObject({ [place.name]: read });
    for (const unclear of ['.', '+', '1.2.3', '1e3', '５', '−1'])
      expect(() => readAs(place, unclear), `${called(place)} ${unclear}`).toThrow('must be a number');
  }
});

test('every value that is given twice is refused, a sort too', () => {
  for (const place of places.filter(({ part }) => part === 'querystring'))
    expect(() => readAs(place, ['newest', 'newest']), called(place)).toThrow('is given 2 times; give it once');
});

test('every decimal stays exact, as number and as text, to its bounds', () => {
  const decimals = places.filter(({ property }) => property['x-decimal'] === true);
  expect(decimals.map(({ name }) => name)).toEqual(['devBuyPercent', 'devBuySol', 'airdropPercent']);
  for (const place of decimals) {
    const { maximum = 0 } = place.property;
    for (const [given, read] of [
      [0.25, '0.25'],
      ['0.25', '0.25'],
      ['.25', '0.25'],
      ['0.250', '0.25'],
      ['0.30000000000000004', '0.30000000000000004'],
      ['0.1234567890123456789', '0.1234567890123456789'],
      [1e-7, '0.0000001'],
      [maximum, `${maximum}`],
    ] as const)
      expect(readAs(place, given), called(place)).toMatchObject({ [place.name]: read });
    const beyond = `${maximum}${Number.isInteger(maximum) ? '.' : ''}00000000000000000001`;
    expect(() => readAs(place, beyond), called(place)).toThrow(`must be at most ${maximum}`);
    expect(() => readAs(place, -0.1), called(place)).toThrow('must be at least 0');
    const absent = readAs(place, undefined);
    for (const zero of [0, -0, '0', '0.0', '0.000', '-0']) expect(readAs(place, zero), called(place)).toEqual(absent);
    for (const wrong of [true, [], {}, ['1'], '1,5', '0.25 SOL', '2.5%'])
      expect(() => readAs(place, wrong), called(place)).toThrow('must be a number, written in plain decimals');
  }
});

test('every time is read as ISO 8601 spells it', () => {
  const times = places.filter(({ property }) => property.format === 'date-time');
  expect(times.map(({ name }) => name)).toEqual(expect.arrayContaining(['since', 'from', 'to']));
  for (const place of times) {
    for (const text of ['2026-11-26T00:00:00+0000', '2026-11-26T00:00Z', '20261126T000000Z', '2026-11-26 02:00 02:00'])
      expect(readAs(place, text), called(place)).toMatchObject({ [place.name]: '2026-11-26T00:00:00.000Z' });
    expect(() => readAs(place, '2026-11-26T00:00:00'), called(place)).toThrow('has no time zone; add Z');
    expect(() => readAs(place, '2026-11-26'), called(place)).toThrow('has no time of day and no time zone');
  }
});

test('white space around an address or a word is none of it', () => {
  const addresses = places.filter(({ property }) => property.pattern?.includes('{32,44}'));
  expect(addresses.length).toBeGreaterThan(4);
  const mint = 'So11111111111111111111111111111111111111112';
  for (const place of addresses)
    expect(readAs(place, ` ${mint}\n`), called(place)).toMatchObject({ [place.name]: mint });
});

test('only a sort that nobody knows is taken as the default; any other unknown word is refused', () => {
  const words = places.filter(({ property }) => property.enum?.some((value) => typeof value === 'string'));
  for (const place of words) {
    const asDefault = () => readAs(place, 'bogus');
    if (place.name === 'sort') expect(asDefault()).toEqual(readAs(place, undefined));
    else expect(asDefault, called(place)).toThrow('must be one of');
  }
});

test('no refusal speaks the words of the checker', () => {
  for (const place of places)
    for (const value of [[], {}, 'a\u0001b', 'x'.repeat(300), '2026', true, 1.5, '9'.repeat(70)]) {
      const { error } = place.read({ ...place.others, [place.name]: value });
      if (error)
        expect(error.message, called(place)).not.toMatch(/must match|format|pattern|schema|integer|boolean|string/);
    }
});
