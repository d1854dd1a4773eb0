import { afterAll, beforeAll, expect, test } from 'vitest';
import Type from 'typebox';
import { notCharged } from '../../api/errors.ts';
import type { ApiInstance } from '../../api/instance.ts';
import { plainUrl } from '../../api/plugins/request-path.ts';
import { AppError, ERROR_CODES } from '../../domain/errors.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { testApp } from '../support/api/test-app.ts';

const BASE = '/api/public/v1';
let app: ApiInstance;

/** Endpoints that fail on demand, beside the real ones. */
beforeAll(async () => {
  app = await testApp();
  app.get('/fails/:how', { schema: { querystring: QuerySchema } }, async (request) => {
    const { how } = request.params as { how: string };
    if (how === 'masked') throw new Error('password=hunter2 at 10.0.0.7');
    if (how === 'upstream')
      throw Object.assign(new Error('hunter2 was refused upstream'), { statusCode: 403, code: 'EAUTH' });
    if (how === 'internal') throw new AppError('internal', 'seed 42 leaked');
    if (how === 'uncharged') throw notCharged('the bundle did not land', 'sig111');
    if (how === 'away') throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
    if (how === 'later') throw new AppError('service_unavailable', 'no fresh price', { retryAfterSeconds: 7 });
    return { data: request.query, meta: {} };
  });
  app.post('/fails/literal', { schema: { body: BodySchema } }, async (request) => ({ data: request.body, meta: {} }));
});
afterAll(() => app.close());

const QuerySchema = Type.Object(
  {
    page: Type.Integer({ minimum: 1, default: 1 }),
    exact: Type.Optional(Type.Boolean()),
    sort: Type.Optional(Type.Enum(['newest', 'volume'])),
  },
  { additionalProperties: false },
);
const BodySchema = Type.Object(
  {
    name: Type.String({ maxLength: 32 }),
    links: Type.Optional(Type.Object({ web: Type.String() }, { additionalProperties: false })),
  },
  { additionalProperties: false },
);

test('an unknown path is 404 in the error envelope, outside and inside the versioned root', async () => {
  for (const url of ['/', '/nothing', `${BASE}/nothing`, `${BASE}/openapi.json/more`]) {
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(404);
    expect(errorOf(answer).code).toBe('not_found');
  }
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])(
  '%s on a read is 405 with the allowed methods',
  async (method) => {
    const answer = await app.inject({ method: method as 'POST', url: `${BASE}/openapi.json` });
    expect(answer.statusCode).toBe(405);
    expect(errorOf(answer)).toMatchObject({ code: 'method_not_allowed', retryable: false, retryAfterSeconds: 0 });
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  },
);

test('a literal path wins over a parameter: GET on a POST-only literal is 405, not the parameter’s endpoint', async () => {
  const answer = await app.inject('/fails/literal');
  expect(answer.statusCode).toBe(405);
  expect(answer.headers.allow).toBe('POST, OPTIONS');
});

test('OPTIONS names the allowed methods, a preflight of a read is granted, of a write it is not', async () => {
  const plain = await app.inject({ method: 'OPTIONS', url: `${BASE}/openapi.json` });
  expect([plain.statusCode, plain.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: `${BASE}/openapi.json`,
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
  });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers['access-control-allow-origin']).toBe('*');
  expect(preflight.headers['access-control-allow-methods']).toBe('GET, POST, OPTIONS');
  expect((await app.inject({ method: 'OPTIONS', url: '/nothing' })).statusCode).toBe(404);
});

test.each([
  'baggage,sentry-trace',
  'traceparent,tracestate,x-datadog-origin,x-datadog-parent-id',
  'x-requested-with',
  'authorization',
  'x-stainless-lang',
  'idempotency-key',
  // AWS X-Ray, Zipkin, New Relic, Angular's service worker, a session recorder.
  'x-amzn-trace-id',
  'x-b3-sampled,x-b3-spanid,x-b3-traceid',
  'newrelic,x-newrelic-id',
  'ngsw-bypass',
  'x-posthog-session-id',
  // Pages that ask past the cache, and such as send an answer's header with the request.
  'cache-control,expires,pragma',
  'access-control-allow-origin,content-type',
])('a page may send %s, and read every header, without credentials', async (asked) => {
  const { headers } = await app.inject({
    method: 'OPTIONS',
    url: `${BASE}/tokens`,
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': asked,
    },
  });
  const allowed = String(headers['access-control-allow-headers']).split(', ');
  expect(allowed).toEqual(expect.arrayContaining(['*', 'authorization']));
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  const answer = await app.inject({ url: '/nothing', headers: { origin: 'https://app.example' } });
  expect(String(answer.headers['access-control-expose-headers']).split(', ')).toContain('*');
});

test('a page of the internet may ask an API of its own machine, and none in an internal network', async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const asked = { ...headers, 'access-control-request-private-network': 'true' };
  const url = `${BASE}/launches/prepare`;
  const name = 'access-control-allow-private-network';
  const granted = async (host: string) => {
    const answer = await app.inject({ method: 'OPTIONS', url, headers: { ...asked, host } });
    return [answer.statusCode, answer.headers[name]];
  };
  for (const host of ['localhost:8402', '127.0.0.1:8402', '[::1]:8402', 'LOCALHOST'])
    expect([host, ...(await granted(host))]).toEqual([host, 204, 'true']);
  for (const host of ['10.0.0.7:8402', 'api.internal', 'api.example', 'localhost.example'])
    expect([host, ...(await granted(host))]).toEqual([host, 204, undefined]);
  expect((await app.inject({ method: 'OPTIONS', url, headers })).headers).not.toHaveProperty(name);
});

test('what is closed to other pages is closed however its path is spelled', async () => {
  const register = async (scope: ApiInstance) => void scope.get('/desk/state', async () => ({ data: {}, meta: {} }));
  const closed = await testApp({ extension: { path: '/desk', register } });
  const headers = { origin: 'https://app.example' };
  const name = 'access-control-allow-origin';
  const paths = ['/desk/state', '/%64esk/state', '/d%65sk/%73tate', '//desk/state', '/desk?x', '/%64esk/none'];
  const answers = await Promise.all(paths.map((url) => closed.inject({ url, headers })));
  expect(answers.map(({ headers: answered }) => answered[name])).toEqual(paths.map(() => undefined));
  expect(answers.slice(0, 4).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  expect((await closed.inject({ url: '/desktop', headers })).headers[name]).toBe('*');
  await closed.close();
});

test.each(['null', 'https://app.example:8443', 'chrome-extension://abc', 'capacitor://localhost', 'http://127.0.0.1'])(
  'a page of origin %s may read every answer, refusals too',
  async (origin) => {
    for (const url of ['/healthz', '/nothing', '/fails/masked', '/fails/later', '/fails/none?page=x', '/%']) {
      const { headers } = await app.inject({ url, headers: { origin } });
      expect([url, headers['access-control-allow-origin']]).toEqual([url, '*']);
      expect(headers['vary']).toBeUndefined();
    }
  },
);

test.each([
  ['/healthz/', 200],
  ['//healthz', 200],
  [`/${BASE}/openapi.json`, 200],
  [`${BASE}//openapi.json`, 200],
  [`${BASE}/openapi.json/`, 200],
  [`${BASE}/openapi.json//?x=//`, 200],
  [`${BASE}///launches/prepare/`, 405],
  ['/api/public//v1/openapi.json', 200],
  // A token whose mint is empty, and paths of something else.
  [`${BASE}/tokens/`, 404],
  [`${BASE}/launches/`, 404],
  [`${BASE}/openapi.json/more/`, 404],
  ['/nothing/', 404],
  ['///', 404],
] as const)('GET %s is answered as with single slashes: %s', async (url, status) => {
  expect((await app.inject(url)).statusCode).toBe(status);
});

test('a path of slashes takes no time', () => {
  const url = `/a${'/'.repeat(100_000)}a`;
  const began = performance.now();
  expect(plainUrl(url, { isKnown: () => false })).toBe(url);
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('a path with a slash at its end takes a body, and tells a page its methods', async () => {
  const url = '/fails/literal/';
  const posted = await app.inject({ method: 'POST', url, payload: { name: 'a' } });
  expect([posted.statusCode, posted.json<{ data: object }>().data]).toEqual([200, { name: 'a' }]);
  const asked = await app.inject({ method: 'OPTIONS', url });
  expect([asked.statusCode, asked.headers.allow]).toEqual([204, 'POST, OPTIONS']);
});

const LATIN1 = Buffer.from('{"name":"Häfen"}', 'latin1');
const UTF16 = Buffer.from('\ufeff{"name":"a"}', 'utf16le');

test.each([
  ['application/json; charset=utf-8', '{"name":"Häfen"}', 'Häfen'],
  ['application/json;charset="UTF8"', '{"name":"Häfen"}', 'Häfen'],
  ['Application/JSON; charset=us-ascii', '{"name":"a"}', 'a'],
  ['application/json;odata=verbose', '{"name":"a"}', 'a'],
  ['application/json', '\ufeff{"name":"a"}', 'a'],
  ['application/json', ' \r\n{"name":"\\u00e4"}\n', 'ä'],
] as const)('a body as %s %j is read', async (type, payload, name) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/fails/literal',
    payload,
    headers: { 'content-type': type, 'content-encoding': 'identity' },
  });
  expect([answer.statusCode, answer.json<{ data: object }>().data]).toEqual([200, { name }]);
});

test.each([
  [{ 'content-type': 'application/json' }, LATIN1, 'the body must be sent in UTF-8, got bytes of another encoding'],
  [
    { 'content-type': 'application/json; charset=ISO-8859-1' },
    LATIN1,
    'the body must be sent in UTF-8, got charset "iso-8859-1"',
  ],
  [
    { 'content-type': 'application/json; charset="utf-16"' },
    UTF16,
    'the body must be sent in UTF-8, got charset "utf-16"',
  ],
  [{ 'content-type': 'application/json' }, UTF16, 'the body must be sent in UTF-8, got bytes of another encoding'],
  [
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    Buffer.of(0x1f, 0x8b),
    'the body is compressed (content-encoding "gzip"); send it plain',
  ],
  [{ 'content-type': 'application/json' }, Buffer.alloc(0), 'the body is empty; a JSON object is needed'],
  [{ 'content-type': 'text/json' }, Buffer.from('{}'), 'the body must be sent as content-type application/json'],
  [
    { 'content-type': 'multipart/form-data; boundary=x' },
    Buffer.from('{}'),
    'the body must be sent as content-type application/json',
  ],
])('a body with %o is refused in words', async (headers, payload, message) => {
  const answer = await app.inject({ method: 'POST', url: '/fails/literal', payload, headers });
  expect(answer.statusCode).toBe(400);
  expect(errorOf(answer)).toMatchObject({ code: 'invalid_request', message, retryable: false });
});

test('HEAD answers as GET does, without a body', async () => {
  const answer = await app.inject({ method: 'HEAD', url: '/healthz' });
  expect([answer.statusCode, answer.body]).toEqual([200, '']);
});

test.each(['masked', 'internal', 'upstream'])(
  'a failure of ours (%s) says nothing of what failed, only the request id',
  async (how) => {
    const answer = await app.inject(`/fails/${how}`);
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toMatch(/hunter2|10\.0\.0\.7|seed/);
    expect(errorOf(answer)).toMatchObject({ code: 'internal', retryable: true });
    expect(errorOf(answer).message).toContain(answer.headers['x-request-id']);
  },
);

test('a dependency that is away is 503, retryable, and its address stays inside', async () => {
  const answer = await app.inject('/fails/away');
  expect(answer.statusCode).toBe(503);
  expect(answer.body).not.toContain('10.0.0.7');
  expect(errorOf(answer)).toMatchObject({ code: 'service_unavailable', retryable: true, retryAfterSeconds: 5 });
});

test('a 503 we chose keeps its message and says when to come back, in the body and the header', async () => {
  const answer = await app.inject('/fails/later');
  expect(errorOf(answer)).toEqual({
    code: 'service_unavailable',
    message: 'no fresh price',
    retryable: true,
    retryAfterSeconds: 7,
  });
  expect(answer.headers['retry-after']).toBe('7');
});

test('an uncharged submit carries status, charged and paymentSignature beside the four error fields', async () => {
  const answer = await app.inject('/fails/uncharged');
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ status: 'service_unavailable', charged: false, paymentSignature: 'sig111' });
  expect(Object.keys(errorOf(answer)).sort()).toEqual(['code', 'message', 'retryAfterSeconds', 'retryable']);
});

test.each([
  ['/fails/none?page=1.5', 'query parameter "page" must be a whole number, got "1.5"'],
  ['/fails/none?page=0x10', 'query parameter "page" must be a whole number, got "0x10"'],
  ['/fails/none?page=0', 'query parameter "page" must be at least 1, got 0'],
  ['/fails/none?exact=maybe', 'query parameter "exact" must be true or false, got "maybe"'],
  ['/fails/none?sort=oldest', 'query parameter "sort" must be one of newest, volume, got "oldest"'],
  ['/fails/none?page=1&page=2', 'query parameter "page" is given 2 times; give it once'],
])('GET %s is refused: %s', async (url, message) => {
  const answer = await app.inject(url);
  expect(answer.statusCode).toBe(400);
  expect(errorOf(answer)).toMatchObject({ code: 'invalid_request', message, retryable: false });
});

test.each([
  '/fails/none?pages=2',
  '/fails/none?__proto__=1',
  '/fails/none?constructor=a&constructor=b',
  '/healthz?x=1',
])('GET %s is answered: a query parameter that nobody knows is left alone', async (url) => {
  expect((await app.inject(url)).statusCode).toBe(200);
});

test('query strings become numbers and booleans, and defaults are filled in', async () => {
  const answer = await app.inject('/fails/none?exact=false&sort=volume');
  expect(answer.json()).toEqual({ data: { page: 1, exact: false, sort: 'volume' }, meta: {} });
});

test.each([
  ['{"name":1}', 'body field "name" must be text, got 1'],
  ['{}', 'body field "name" is missing'],
  ['{"name":"a","extra":true}', 'unknown body field "extra"'],
  ['{"name":"a","links":{"web":"w","more":1}}', 'unknown body field "links.more"'],
  ['[]', 'the body must be a JSON object'],
  ['"text"', 'the body must be a JSON object'],
  ['{"name":', 'the body is not valid JSON'],
  ['{"name":"a","__proto__":{"admin":true}}', 'the body is not valid JSON'],
])('a body %s is refused: %s', async (payload, message) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/fails/literal',
    payload,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.statusCode).toBe(400);
  expect(errorOf(answer).message).toBe(message);
});

test('a body is not coerced: a number is not a name', async () => {
  const answer = await app.inject({ method: 'POST', url: '/fails/literal', payload: { name: 5 } });
  expect(answer.statusCode).toBe(400);
});

test('a wrong value is sent back shortened, never whole', async () => {
  const answer = await app.inject({ method: 'POST', url: '/fails/literal', payload: { name: 'x'.repeat(5000) } });
  expect(errorOf(answer).message.length).toBeLessThan(200);
});

test('no body, an unknown media type and a body too large are all 400 invalid_request', async () => {
  const post = (payload: string | undefined, type: string) =>
    app.inject({ method: 'POST', url: '/fails/literal', payload, headers: { 'content-type': type } });
  const answers = [
    await post(undefined, 'application/json'),
    await app.inject({ method: 'POST', url: '/fails/literal' }),
    await post('name=a', 'application/x-www-form-urlencoded'),
    await post('name', 'text/plain'),
    await post(JSON.stringify({ name: 'x'.repeat(2_000_000) }), 'application/json'),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400]);
  expect(answers.map((answer) => errorOf(answer).code)).toEqual(Array(5).fill('invalid_request'));
});

test('a logo of 512 KB as data URL fits into a body', async () => {
  const logo = `data:image/png;base64,${Buffer.alloc(512 * 1024).toString('base64')}`;
  const answer = await app.inject({ method: 'POST', url: '/fails/literal', payload: { name: logo } });
  expect(errorOf(answer).message).toContain('must not have more than 32 characters');
});

test('a malformed URL is 400 in the envelope', async () => {
  const answer = await app.inject('/%');
  expect(answer.statusCode).toBe(400);
  expect(errorOf(answer)).toMatchObject({
    code: 'invalid_request',
    message: 'the path has a percent sign that begins no encoded character',
  });
});

test('a sane request id is kept and returned, another is replaced', async () => {
  const kept = await app.inject({ url: '/healthz', headers: { 'x-request-id': 'trace-1.a_B' } });
  expect(kept.headers['x-request-id']).toBe('trace-1.a_B');
  expect(kept.json<{ meta: object }>().meta).toMatchObject({ requestId: 'trace-1.a_B' });
  for (const bad of ['a b', '<script>', 'x'.repeat(65), '']) {
    const replaced = await app.inject({ url: '/nothing', headers: { 'x-request-id': bad } });
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('failures are never cached and every answer has the security headers', async () => {
  const answer = await app.inject('/nothing');
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(ERROR_CODES).toContain(errorOf(answer).code);
});

test('an endpoint whose schema lets unknown fields pass cannot be registered', async () => {
  const other = await testApp();
  expect(() => other.get('/open', { schema: { querystring: Type.Object({}) } }, async () => ({}))).toThrow(
    'additionalProperties: false',
  );
  await other.close();
});
