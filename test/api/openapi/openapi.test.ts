import { Validator } from '@seriousme/openapi-schema-validator';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { describedWithout, ofFeature } from '../../../api/openapi/document.ts';
import type { ApiInstance } from '../../../api/instance.ts';
import { responses } from '../../../api/schemas/envelope.ts';
import { dereference } from '../../../dev/client/dereference.ts';
import type { Json } from '../../../dev/client/type-of-schema.ts';
import { ERROR_CODES } from '../../../domain/errors.ts';
import type { Switches } from '../../../domain/switches.ts';
import { testConfig } from '../../support/api/api-config.ts';
import { ALL_ON, testApp } from '../../support/api/test-app.ts';

const BASE = '/api/public/v1';

const NothingSchema = Type.Object({}, { additionalProperties: false });

const ProbeBodySchema = Type.Object(
  {
    mode: Type.Enum(
      ['standard', 'reward'],
      describedWithout('rewardLaunches', 'Only standard at the moment', { description: 'Fee model' }),
    ),
    devBuyPercent: Type.Optional(Type.Number(ofFeature('devBuys', { maximum: 2.5 }))),
    rewardTaxBps: Type.Optional(Type.Integer(ofFeature('rewardLaunches', { default: 100 }))),
    airdropPercent: Type.Number(ofFeature('airdrops', { maximum: 50 })),
  },
  { additionalProperties: false },
);

/** The API with two endpoints of which parts belong to features. */
async function featureApp(switches: Switches): Promise<ApiInstance> {
  const app = await testApp({ switches: { read: async () => switches } });
  app.post(
    `${BASE}/probe`,
    { schema: { tags: ['Launch'], body: ProbeBodySchema, response: responses(NothingSchema, { conflict: {} }) } },
    async () => ({}),
  );
  const querystring = Type.Object(
    { tier: Type.Optional(Type.String(ofFeature('airdrops', {}))) },
    { additionalProperties: false },
  );
  const schema = { tags: ['Data'], response: responses(NothingSchema), querystring };
  app.get(`${BASE}/tokens/:mint/tiers`, { schema }, async () => ({}));
  return app;
}

async function documentOf(app: ApiInstance, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url: `${BASE}/openapi.json`, headers });
  expect(answer.statusCode).toBe(200);
  return dereference(answer.json<Json>()) as unknown as OpenApi;
}

interface Operation {
  tags: string[];
  parameters?: { name: string }[];
  requestBody?: {
    content: Record<string, { schema: { properties: Record<string, { description?: string }>; required?: string[] } }>;
  };
  responses: Record<
    string,
    {
      content: Record<
        string,
        { schema: { type: string; properties: Record<string, { type: string; properties: object }> } }
      >;
    }
  >;
  security?: unknown;
}
interface OpenApi {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components?: { securitySchemes?: unknown };
  security?: unknown;
}

test.each([ALL_ON, { ...ALL_ON, airdrops: 'off', devBuys: 'off', rewardLaunches: 'off' } as const])(
  'the document is valid OpenAPI 3.1 with features on and off',
  async (switches) => {
    const app = await featureApp(switches);
    const result = await new Validator().validate({ ...(await documentOf(app)) });
    expect(result).toMatchObject({ valid: true });
    await app.close();
  },
);

test('it lists exactly the endpoints that exist, relative to the server it names', async () => {
  const app = await testApp();
  const document = await documentOf(app);
  expect(document.openapi).toMatch(/^3\.1\./);
  for (const path of Object.keys(document.paths)) {
    const url = `${BASE}${path.replaceAll(/\{\w+\}/g, 'x')}`;
    expect((await app.inject({ method: 'OPTIONS', url })).headers.allow).toContain(
      Object.keys(document.paths[path] ?? {})[0]?.toUpperCase(),
    );
  }
  expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/pairs', '/stats']));
  expect(Object.keys(document.paths)).not.toEqual(expect.arrayContaining(['/webhooks']));
  await app.close();
});

test('the short document leads to the typed one', async () => {
  const app = await testApp();
  const response = await app.inject({ url: `${BASE}/openapi.json`, headers: { host: 'api.example.com' } });
  const url = `http://api.example.com${BASE}/openapi.full.json`;
  expect(response.json()).toMatchObject({ externalDocs: { url } });
  expect((await app.inject({ url: `${BASE}/openapi.full.json` })).json()).not.toHaveProperty('externalDocs');
  await app.close();
});

test('it asks for no security and tags every operation Data, Launch or Fees', async () => {
  const app = await testApp();
  const document = await documentOf(app);
  expect([document.security, document.components?.securitySchemes]).toEqual([undefined, undefined]);
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    expect(operation.security).toBeUndefined();
    expect(['Data', 'Launch', 'Fees']).toContain(operation.tags[0]);
  }
  await app.close();
});

test('success is an object of data and meta and nothing more; every failure enumerates its four fields', async () => {
  const app = await testApp();
  const document = await documentOf(app);
  for (const { responses: answers } of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const success = answers['200']?.content['application/json']?.schema;
    expect(Object.keys(success?.properties ?? {})).toEqual(['data', 'meta']);
    expect(success?.properties).toMatchObject({ data: { type: 'object', properties: {} }, meta: { type: 'object' } });
    for (const status of ['400', '404', '405', '429', '500', '503']) {
      expect(answers[status]?.content['application/json']?.schema).toMatchObject({
        properties: {
          error: {
            required: ['code', 'message', 'retryable', 'retryAfterSeconds'],
            properties: {
              code: { enum: [...ERROR_CODES] },
              message: { type: 'string' },
              retryable: { type: 'boolean' },
              retryAfterSeconds: { type: 'integer' },
            },
          },
        },
      });
    }
  }
  await app.close();
});

test('the server is the origin the client asked, unless the Host header is not a host', async () => {
  const app = await testApp();
  const serverFor = async (host: string) => (await documentOf(app, { host })).servers;
  expect(await serverFor('api.example.com')).toEqual([{ url: `http://api.example.com${BASE}` }]);
  expect(await serverFor('127.0.0.1:4711')).toEqual([{ url: `http://127.0.0.1:4711${BASE}` }]);
  expect(await serverFor('evil"><script>')).toEqual([{ url: `http://127.0.0.1:8080${BASE}` }]);
  await app.close();
});

test('behind a proxy the server is a configured host, and no answer made for one host is given to another', async () => {
  const config = testConfig({ TRUST_PROXY: '127.0.0.1', SITE_URL: 'https://a.example', PUBLIC_HOSTS: 'api.b.example' });
  const app = await testApp({ config });
  const serverFor = async (host: string) => {
    const headers = { host: 'upstream', 'x-forwarded-host': host, 'x-forwarded-proto': 'https' };
    return (await documentOf(app, headers)).servers.map(({ url }) => url);
  };
  for (const host of ['evil.example', 'api.b.example', 'evil.example', 'a.example', 'API.b.example']) {
    const expected = /evil/.test(host) ? 'a.example' : host;
    expect(await serverFor(host)).toEqual([`https://${expected}${BASE}`]);
  }
  await app.close();
});

test('parameters of a feature that is off are left out, with their place in the required list', async () => {
  const off = await featureApp({ ...ALL_ON, devBuys: 'off', airdrops: 'off', rewardLaunches: 'off' });
  const document = await documentOf(off);
  const body = document.paths['/probe']?.['post']?.requestBody?.content['application/json']?.schema;
  expect(Object.keys(body?.properties ?? {})).toEqual(['mode']);
  expect(body?.required).toEqual(['mode']);
  expect(body?.properties['mode']?.description).toBe('Only standard at the moment');
  expect(document.paths['/tokens/{mint}/airdrop']).toBeUndefined();
  expect(document.paths['/tokens/{mint}/tiers']?.['get']?.parameters?.map(({ name }) => name)).toEqual(['mint']);
  await off.close();
});

test('parameters of a feature that is on are there, and our own keywords never are', async () => {
  const on = await featureApp(ALL_ON);
  const document = await documentOf(on);
  const body = document.paths['/probe']?.['post']?.requestBody?.content['application/json']?.schema;
  expect(Object.keys(body?.properties ?? {})).toEqual(['mode', 'devBuyPercent', 'rewardTaxBps', 'airdropPercent']);
  expect(body?.properties['mode']?.description).toBe('Fee model');
  expect(document.paths['/tokens/{mint}/airdrop']?.['get']?.tags).toEqual(['Data']);
  expect(JSON.stringify(document)).not.toContain('"x-');
  await on.close();
});

test('a parameter or field with a default is not required', async () => {
  const app = await testApp();
  const querystring = Type.Object(
    { page: Type.Integer({ default: 1 }), q: Type.String() },
    { additionalProperties: false },
  );
  const body = Type.Object(
    { mode: Type.String({ default: 'a' }), name: Type.String() },
    { additionalProperties: false },
  );
  app.post(
    `${BASE}/defaults`,
    { schema: { tags: ['Data'], querystring, body, response: responses(NothingSchema) } },
    async () => ({}),
  );
  const operation = (await documentOf(app)).paths['/defaults']?.['post'];
  expect(operation?.parameters).toMatchObject([
    { name: 'page', required: false },
    { name: 'q', required: true },
  ]);
  expect(operation?.requestBody?.content['application/json']?.schema.required).toEqual(['name']);
  await app.close();
});

test('the document is kept for a second at most, because it follows the switches', async () => {
  const app = await testApp();
  const { headers } = await app.inject(`${BASE}/openapi.json`);
  expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=1, stale-while-revalidate=1');
  await app.close();
});
