import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BASE_PATH } from '../../api/base-path.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { connect, type Db } from '../../db/connect.ts';
import { testConfig } from '../support/api/api-config.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { testApp } from '../support/api/test-app.ts';
import { createTestDatabase } from '../setup/database.ts';

let [db, app]: [Db | undefined, ApiInstance | undefined] = [undefined, undefined];

beforeAll(async () => {
  db = connect((await createTestDatabase()).url);
  const limit = '10000000';
  const config = testConfig({
    RATE_LIMIT_API: limit,
    RATE_LIMIT_LAUNCH_PREPARE: limit,
    RATE_LIMIT_CLAIM_PREPARE: limit,
  });
  app = await testApp({ db, config });
});
afterAll(async () => {
  await app?.close();
  await db?.destroy();
});

const MINT = 'So11111111111111111111111111111111111111112';

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
  MINT,
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
];

const deep = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** JSON of values beyond what a program would send. */
const VALUES = [
  ...TEXTS.map((text) => JSON.stringify(text)),
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

const DocumentSchema = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Record(
      Type.String(),
      Type.Object({
        parameters: Type.Optional(Type.Array(Type.Object({ name: Type.String(), in: Type.String() }))),
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

type Operation = Static<typeof DocumentSchema>['paths'][string][string];

async function operations(): Promise<{ method: 'GET' | 'POST'; path: string; operation: Operation }[]> {
  const { paths } = Value.Parse(DocumentSchema, (await app!.inject(`${BASE_PATH}/openapi.json`)).json());
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method === 'post' ? ('POST' as const) : ('GET' as const),
      path,
      operation,
    })),
  );
}

const urlOf = (path: string, value = MINT) => `${BASE_PATH}${path.replace(/\{\w+\}/g, value)}`;

/** Encoded as a URL can carry it; lone surrogates it cannot. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

async function expectNoFault(request: { method: 'GET' | 'POST'; url: string; payload?: string }, what: string) {
  const headers = request.payload === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await app!.inject({ ...request, headers });
  if (answer.statusCode === 500) throw new Error(`500 to ${what}: ${answer.body}`);
  if (answer.statusCode >= 400) errorOf(answer);
}

test('no parameter of a path or a query makes the server fail', async () => {
  let asked = 0;
  for (const { method, path, operation } of await operations()) {
    const names = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    for (const text of [...TEXTS.map(encoded), '%00', '%ED%A0%80', '%C0%80', '%FF']) {
      if (path.includes('{'))
        await expectNoFault({ method, url: urlOf(path, text) }, `${path} with ${text.slice(0, 40)}`);
      for (const name of names) {
        const url = `${urlOf(path)}?${name}=${text}`;
        await expectNoFault({ method, url }, `${path} with ${name}=${text.slice(0, 40)}`);
        asked += 1;
      }
    }
  }
  expect(asked).toBeGreaterThan(500);
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
  const answer = await app!.inject({ method: 'POST', url: `${BASE_PATH}/launches/prepare`, payload: bodyOf(fields) });
  const { code, message } = errorOf(answer);
  expect(code).toBe('invalid_request');
  // Fields with a default are counted too.
  expect(message).toMatch(/^an object of the body has 6000\d fields; at most 100 are read$/);
});
