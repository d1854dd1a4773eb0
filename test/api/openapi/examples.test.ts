import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLES_FILE } from '../../../api/openapi/examples.ts';
import type { ApiInstance } from '../../../api/instance.ts';
import { connect, type Db } from '../../../db/connect.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { ALL_ON, testApp } from '../../support/api/test-app.ts';
import { EXAMPLE, EXAMPLE_NOW, seedExamples } from '../../support/openapi/seed-examples.ts';

const ROOT = '/api/public/v1';

let db: Db;
let app: ApiInstance;
beforeAll(async () => {
  db = connect((await createTestDatabase()).url);
  await seedExamples(db);
  app = await testApp({ db, now: () => EXAMPLE_NOW });
});
afterAll(async () => {
  await app.close();
  await db.destroy();
});

/** Operations whose answers come from the database alone, and what is asked of each. */
const ASKED = {
  'GET /tokens': '/tokens',
  'GET /tokens/{mint}': `/tokens/${EXAMPLE.standard}`,
  'GET /tokens/{mint}/candles': `/tokens/${EXAMPLE.standard}/candles`,
  'GET /tokens/{mint}/trades': `/tokens/${EXAMPLE.standard}/trades`,
  'GET /tokens/{mint}/airdrop': `/tokens/${EXAMPLE.standard}/airdrop`,
  'GET /tokens/{mint}/burns': `/tokens/${EXAMPLE.standard}/burns`,
  'GET /tokens/{mint}/rewards': `/tokens/${EXAMPLE.reward}/rewards`,
  'GET /tokens/{mint}/rewards/rounds': `/tokens/${EXAMPLE.reward}/rewards/rounds`,
  'GET /tokens/{mint}/rewards/rounds/{number}/left-out': `/tokens/${EXAMPLE.reward}/rewards/rounds/1/left-out`,
  'GET /launches': '/launches',
  'GET /launches/{paymentSignature}': `/launches/${EXAMPLE.payment}`,
  'GET /pairs': '/pairs',
  'GET /rewards': '/rewards',
  'GET /revenue': '/revenue',
  'GET /revenue/history': '/revenue/history',
  'GET /stats': '/stats',
};

/** An answer with what differs from one time to the next set. */
async function exampleOf(path: string): Promise<unknown> {
  const answer = await app.inject(`${ROOT}${path}`);
  expect([path, answer.statusCode]).toEqual([path, 200]);
  const { data, meta } = answer.json<{ data: unknown; meta: object }>();
  const fixed = { generatedAt: EXAMPLE_NOW.toISOString(), ...('requestId' in meta && { requestId: 'a-request' }) };
  return { data, meta: { ...meta, ...fixed } };
}

test('the examples are what the API answers: write them anew with `vitest run test/api/openapi/examples.test.ts -u`', async () => {
  const examples: Record<string, unknown> = {};
  for (const [operation, path] of Object.entries(ASKED)) examples[operation] = await exampleOf(path);
  await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(EXAMPLES_FILE);
});

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, { readonly content: Content }> }>>;
}
type Content = Record<
  string,
  { readonly schema: { readonly properties: Record<string, object> }; readonly example?: object }
>;

const documentOf = async (of: ApiInstance) => (await of.inject(`${ROOT}/openapi.full.json`)).json<Document>();

test('the full document has the shape of every success, and an example of each', async () => {
  const { paths } = await documentOf(app);
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  for (const [name, operation] of operations) {
    const media = operation.responses['200']?.content['application/json'];
    expect([name, Object.keys(media?.schema.properties['data'] ?? {})]).toEqual([
      name,
      expect.arrayContaining(['properties']),
    ]);
    expect([name, media?.example !== undefined]).toEqual([name, true]);
  }
});

test.each([ALL_ON, { ...ALL_ON, airdrops: 'off', devBuys: 'off', rewardLaunches: 'off' } as const])(
  'the full document is valid OpenAPI 3.1 with features on and off',
  async (switches) => {
    const other = await testApp({ db, switches: { read: async () => switches } });
    expect(await new Validator().validate({ ...(await documentOf(other)) })).toMatchObject({ valid: true });
    await other.close();
  },
);
