import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { beforeAll, expect, test } from 'vitest';
import { dereference } from '../../dev/client/dereference.ts';
import type { Json } from '../../dev/client/type-of-schema.ts';
import { writeCursor } from '../../domain/cursor-text.ts';
import { BASE_PATH } from '../../api/base-path.ts';
import { testConfig } from '../support/api/api-config.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { forgedCursor } from '../support/api/forged-cursor.ts';
import { createDice } from '../support/dice.ts';
import { captureLog } from '../support/platform/captured-log.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { insertSwaps } from '../support/market/swap-rows.ts';

const limit = '10000000';
const limits = { RATE_LIMIT_API: limit, RATE_LIMIT_LAUNCH_PREPARE: limit, RATE_LIMIT_CLAIM_PREPARE: limit };
const log = captureLog();
const logger = pino({ level: 'error' }, log.destination);
const market = useMarketApp(() => ({ config: testConfig(limits), logger }));
const inject = (request: InjectOptions) => market.app().inject(request);

/** A token that was launched and traded: requests about it reach every table. */
let mint: string;
beforeAll(async () => {
  ({ mint } = await market.launch());
  await insertSwaps(market.db(), mint, [{ side: 'buy' }]);
});

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

/** Where types of the database and of JSON end, and one more. */
const INTEGERS = [
  ...[15, 16, 31, 32, 53, 63, 64].flatMap((bits) => [`${2n ** BigInt(bits) - 1n}`, `${2n ** BigInt(bits)}`]),
  `${2n ** 53n + 1n}`,
  `-${2n ** 31n + 1n}`,
];

/** Times at which a calendar, a date type or a column of months may end. */
const TIMES = [
  ...['0000', '0001', '1969', '2730', '2731', '9999'].flatMap((year) => [
    `${year}-01-01T00:00:00Z`,
    `${year}-12-31T23:59:59.999Z`,
  ]),
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '2016-12-31T23:59:60Z',
  '+275760-09-13T00:00:00Z',
];

/** Texts that some part of a service may not be able to read, compare, store or print. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '%',
  '%zz',
  "'; --",
  '\\',
  '"',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  'true',
  '\u202e',
  '\ud800',
  '\udfff\ud800',
  '🪙'.repeat(50),
  'é'.normalize('NFD'),
  'x'.repeat(20_000),
  WRAPPED_SOL,
  '0',
  '-1',
  '1e308',
  '9'.repeat(400),
  '1.5',
  '0x10',
  '٣',
  '2026-11-22',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:60Z',
  ...INTEGERS,
  ...TIMES,
];

const deep = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** JSON of values beyond what a program would send. */
const VALUES = [
  ...TEXTS.map((text) => JSON.stringify(text)),
  ...INTEGERS,
  'null',
  'true',
  '-0',
  '1e400',
  '-1',
  '0.1',
  '1e-400',
  '[]',
  '{}',
  '[null]',
  '{"a":{"a":1}}',
  deep(100_000, '[', ']'),
  deep(100_000, '{"a":', '}'),
  `[${'1,'.repeat(50_000)}1]`,
];

const ParameterSchema = Type.Object({
  name: Type.String(),
  in: Type.String(),
  schema: Type.Optional(
    Type.Object({ enum: Type.Optional(Type.Array(Type.String())), format: Type.Optional(Type.String()) }),
  ),
});
type Parameter = Static<typeof ParameterSchema>;

const DocumentSchema = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Record(
      Type.String(),
      Type.Object({
        parameters: Type.Optional(Type.Array(ParameterSchema)),
        requestBody: Type.Optional(
          Type.Object({
            content: Type.Object({
              'application/json': Type.Object({
                schema: Type.Object({ properties: Type.Record(Type.String(), Type.Unknown()) }),
              }),
            }),
          }),
        ),
      }),
    ),
  ),
});

/** Those that a body may hold together. */
const SMALL_VALUES = VALUES.filter((value) => value.length < 1_000);

type Operation = Static<typeof DocumentSchema>['paths'][string][string];

async function operations(): Promise<{ method: 'GET' | 'POST'; path: string; operation: Operation }[]> {
  const { paths } = Value.Parse(
    DocumentSchema,
    dereference((await inject({ url: `${BASE_PATH}/openapi.json` })).json<Json>()),
  );
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method === 'post' ? ('POST' as const) : ('GET' as const),
      path,
      operation,
    })),
  );
}

const urlOf = (path: string, value = mint) => `${BASE_PATH}${path.replace(/\{\w+\}/g, value)}`;

/** Encoded as a URL can carry it; lone surrogates it cannot. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

async function expectNoFault(request: { method: 'GET' | 'POST'; url: string; payload?: string }, what: string) {
  const headers = request.payload === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await inject({ ...request, headers });
  if (answer.statusCode === 500) throw new Error(`500 to ${what}: ${answer.body}\nlogged: ${log.lines.at(-1)}`);
  if (answer.statusCode >= 400) errorOf(answer);
}

/** Texts as a URL carries them. */
const ENCODED = [...TEXTS.map(encoded), '%00', '%ED%A0%80', '%C0%80', '%FF'];

test.each([0, 1, 2, 3])('no parameter of a path or a query makes the server fail (texts of part %i)', async (part) => {
  const texts = ENCODED.filter((_text, index) => index % 4 === part);
  let asked = 0;
  for (const { method, path, operation } of await operations()) {
    const names = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    for (const text of texts) {
      if (path.includes('{'))
        await expectNoFault({ method, url: urlOf(path, text) }, `${path} with ${text.slice(0, 40)}`);
      for (const name of names) {
        const url = `${urlOf(path)}?${name}=${text}`;
        await expectNoFault({ method, url }, `${path} with ${name}=${text.slice(0, 40)}`);
        asked += 1;
      }
    }
  }
  expect(asked).toBeGreaterThan(125);
});

/** Numbers and texts that a client may write into a cursor of any list. */
const PLACES: readonly (readonly unknown[])[] = [
  ['0', 0, '5'.repeat(88), 0],
  ['999999999999999999', 2 ** 31 - 1, '5'.repeat(88), 2 ** 31 - 1],
  ['9223372036854775808', 2 ** 31, '1'.repeat(64), 2 ** 53],
  [0],
  [2 ** 31 - 1],
  ['999999999999999999'],
  ['00000000-0000-0000-0000-000000000000'],
  [4_102_444_800_000, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  [8_640_000_000_000_000, '5'.repeat(88)],
  [1, '999999999999999999', '999999999999999999', 1_000_000],
  [2 ** 31 - 1, '0', '0', 0],
];

const LISTS = ['trades', 'distributions', 'statement', 'platform wallets'].concat(
  ['claims', 'rewards', 'positions'].map((name) => `wallet ${name}`),
);

const cursorText = () => {
  const place = pick(PLACES);
  return dice(4) === 0 ? writeCursor(place) : forgedCursor(pick(LISTS), dice(2) === 0 ? mint : '', place);
};

/** How many requests the next test generates, and from what; 100,000 take some minutes. */
const GENERATED = Number(process.env['INPUT_CASES'] ?? 400);
const dice = createDice(Number(process.env['INPUT_SEED'] ?? 41));
const pick = <Item>(items: readonly Item[]): Item => items[dice(items.length)]!;

const SHORT = TEXTS.filter((text) => text.length < 200);

/** A value for a parameter: as often one that its schema names as one that it may not know. */
function valueFor({ name, schema }: Parameter): string {
  if ((name === 'cursor' || name === 'after') && dice(4) > 0) return cursorText();
  const named = [...(schema?.enum ?? []), ...(schema?.format === 'date-time' ? TIMES : [])];
  return named.length > 0 && dice(4) > 0 ? pick(named) : pick([...SHORT, mint, market.quoteMint]);
}

function generatedRead({ path, operation }: { path: string; operation: Operation }) {
  const given = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query' && dice(2) === 0);
  const query = given.map((parameter) => `${parameter.name}=${encoded(valueFor(parameter))}`).join('&');
  return { method: 'GET' as const, url: `${urlOf(path, dice(5) > 0 ? mint : encoded(pick(SHORT)))}?${query}` };
}

function generatedWrite({ path, operation }: { path: string; operation: Operation }) {
  const names = Object.keys(operation.requestBody?.content['application/json'].schema.properties ?? {});
  const fields = names.filter(() => dice(4) > 0).map((name) => `"${name}":${pick(SMALL_VALUES)}`);
  return { method: 'POST' as const, url: urlOf(path), payload: `{${fields.join(',')}}` };
}

test('no combination of parameters or fields makes the server fail', async () => {
  const all = await operations();
  for (let asked = 0; asked < GENERATED; asked += 1) {
    const operation = pick(all);
    const request = operation.method === 'GET' ? generatedRead(operation) : generatedWrite(operation);
    await expectNoFault(request, JSON.stringify(request).slice(0, 400));
  }
});

test('no body makes the server fail, however deep, wide or strange', async () => {
  let asked = 0;
  for (const { method, path, operation } of await operations()) {
    if (method !== 'POST') continue;
    const properties = operation.requestBody?.content['application/json'].schema.properties ?? {};
    for (const value of VALUES) {
      const bodies = [value, ...[...Object.keys(properties), 'unknown'].map((name) => `{"${name}":${value}}`)];
      for (const payload of bodies) {
        await expectNoFault({ method, url: urlOf(path), payload }, `${path} with ${payload.slice(0, 60)}`);
        asked += 1;
      }
    }
  }
  expect(asked).toBeGreaterThan(500);
});

test.each([
  ['a body', (fields: object) => fields],
  ['something in it', (fields: object) => ({ name: fields })],
])('%s with more fields than any is refused by their number, not by name', async (_what, bodyOf) => {
  const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [index.toString(36), 0]));
  const answer = await inject({ method: 'POST', url: `${BASE_PATH}/launches/prepare`, payload: bodyOf(fields) });
  const { code, message } = errorOf(answer);
  expect(code).toBe('invalid_request');
  // Fields with a default are counted too.
  expect(message).toMatch(/^an object of the body has 6000\d fields; at most 100 are read$/);
});
