import { Validator } from '@seriousme/openapi-schema-validator';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLES_FILE } from '../../../api/openapi/examples.ts';
import type { ApiInstance } from '../../../api/instance.ts';
import { connect, type Db } from '../../../db/connect.ts';
import { dereference } from '../../../dev/client/dereference.ts';
import type { Json } from '../../../dev/client/type-of-schema.ts';
import type { StatementAnswer } from '../../../api/answers/statements.ts';
import type { WalletsAnswer } from '../../../api/platform/wallets.schema.ts';
import { growingCursors } from '../../../api/answers/growing.ts';
import type { EventAnswer } from '../../../api/events/events.schema.ts';
import { EVENT_TYPES } from '../../../domain/events/event-types.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { ALL_ON, testApp } from '../../support/api/test-app.ts';
import { everyFact } from '../../support/events/every-fact.ts';
import { asExample } from '../../support/events/example-events.ts';
import { untilVisible } from '../../support/events/read-events.ts';
import { EXAMPLE, EXAMPLE_NOW, seedExamples } from '../../support/openapi/seed-examples.ts';

const ROOT = '/api/public/v1';

let db: Db;
let app: ApiInstance;
beforeAll(async () => {
  db = connect((await createTestDatabase()).url);
  await seedExamples(db);
  // A 500 hides its reason: the log has it.
  app = await testApp({ db, now: () => EXAMPLE_NOW, logger: pino({ level: 'error' }) });
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
  'GET /wallets/{wallet}/rewards': `/wallets/${EXAMPLE.holder}/rewards`,
  'GET /wallets/{wallet}/claims': `/wallets/${EXAMPLE.claimant}/claims`,
  'GET /wallets/{wallet}/trades': `/wallets/${EXAMPLE.trader}/trades`,
  'GET /launches': '/launches',
  'GET /launches/{paymentSignature}': `/launches/${EXAMPLE.payment}`,
  'GET /launches/{paymentSignature}/receipt': `/launches/${EXAMPLE.payment}/receipt`,
  'GET /pairs': '/pairs',
  'GET /rewards': '/rewards',
  'GET /revenue': '/revenue',
  'GET /revenue/history': '/revenue/history',
  'GET /platform/log': '/platform/log',
  'GET /stats': '/stats',
};

/** An answer with what differs from one time to the next set. */
async function exampleOf(path: string): Promise<unknown> {
  const answer = await app.inject(`${ROOT}${path}`);
  expect(answer.statusCode, `${path} on the seed of examples: ${answer.body}`).toBe(200);
  const { data, meta } = answer.json<{ data: unknown; meta: object }>();
  const fixed = { generatedAt: EXAMPLE_NOW.toISOString(), ...('requestId' in meta && { requestId: 'a-request' }) };
  return { data, meta: { ...meta, ...fixed } };
}

/** With the pot's address, which is made at random, its cursor, and the moments of bookings set. */
async function statementExample(path: string): Promise<unknown> {
  const { data, meta } = (await exampleOf(path)) as { data: StatementAnswer; meta: unknown };
  const movements = data.movements.map((row) => ({ ...row, bookedAt: EXAMPLE_NOW.toISOString() }));
  if (!('pot' in data)) return { data: { ...data, movements }, meta };
  const nextCursor = growingCursors('statement').write(`pot/${EXAMPLE.pot}`, [data.movements.at(-1)?.number ?? 0]);
  return { data: { ...data, pot: EXAMPLE.pot, movements, pagination: { ...data.pagination, nextCursor } }, meta };
}

/** Launch wallets alone: other addresses are made at random. */
async function walletsExample(): Promise<unknown> {
  const { data, meta } = (await exampleOf('/platform/wallets?role=launch')) as { data: WalletsAnswer; meta: unknown };
  const wallets = data.wallets.map((wallet) => ({ ...wallet, notedAt: EXAMPLE_NOW.toISOString() }));
  return { data: { ...data, wallets }, meta };
}

/** One event of each type. They come last: what makes them would change the other answers. */
async function eventsExample(): Promise<unknown> {
  await everyFact(db);
  await untilVisible(db);
  const { data, meta } = (await exampleOf('/events?limit=100')) as { data: EventsAnswer; meta: unknown };
  const events = [...Map.groupBy(data.events, ({ type }) => type).values()].flatMap(([first]) => first ?? []);
  expect(events.map(({ type }) => type).toSorted()).toEqual(EVENT_TYPES.toSorted());
  const shown = asExample(events) as EventAnswer[];
  const pagination = { limit: 25, hasMore: false, nextCursor: shown.at(-1)?.id };
  return { data: { events: shown, pagination }, meta };
}

test('the examples are what the API answers: `npm test -- api/openapi/examples --update=true` writes them', async () => {
  const examples: Record<string, unknown> = {};
  for (const [operation, path] of Object.entries(ASKED)) examples[operation] = await exampleOf(path);
  examples['GET /platform/statement'] = await statementExample(`/platform/statement?quoteMint=${EXAMPLE.quote}`);
  const pot = `/tokens/${EXAMPLE.reward}/rewards/statement`;
  examples['GET /tokens/{mint}/rewards/statement'] = await statementExample(pot);
  examples['GET /platform/wallets'] = await walletsExample();
  examples['GET /events'] = await eventsExample();
  await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(EXAMPLES_FILE);
});

type EventsAnswer = { readonly events: readonly EventAnswer[] };

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, { readonly content: Content }> }>>;
}
type Content = Record<
  string,
  { readonly schema: { readonly properties: Record<string, object> }; readonly example?: object }
>;

const servedOf = async (of: ApiInstance) => (await of.inject(`${ROOT}/openapi.full.json`)).json<Json>();
const documentOf = async (of: ApiInstance) => dereference(await servedOf(of)) as unknown as Document;

test.each([ALL_ON, { ...ALL_ON, airdrops: 'off', devBuys: 'off', rewardLaunches: 'off' } as const])(
  'the full document is valid OpenAPI 3.1 with features on and off',
  async (switches) => {
    const other = await testApp({ db, switches: { read: async () => switches } });
    expect(await new Validator().validate({ ...(await servedOf(other)) })).toMatchObject({ valid: true });
    await other.close();
  },
);

test('the full document describes CSV, after JSON, for each read that answers with it, and for no other', async () => {
  const { paths } = await documentOf(app);
  const found = Object.entries(ASKED).map(async ([operation, url]) => {
    const described = Object.keys(paths[operation.replace('GET ', '')]?.['get']?.responses['200']?.content ?? {});
    const answers = ['application/json', 'text/csv'].map((accept) =>
      app.inject({ url: ROOT + url, headers: { accept } }),
    );
    const types = (await Promise.all(answers)).map(({ headers }) => String(headers['content-type']).split(';')[0]);
    return { operation, described, answered: [...new Set(types)] };
  });
  const operations = await Promise.all(found);
  expect(operations.filter(({ described, answered }) => described.join() !== answered.join())).toEqual([]);
  const csv = operations.filter(({ described }) => described.includes('text/csv'));
  expect(csv.map(({ operation }) => operation)).toEqual([
    'GET /wallets/{wallet}/rewards',
    'GET /wallets/{wallet}/claims',
  ]);
});
