import { expect, test } from 'vitest';
import { readApiConfig } from '../../config/api.ts';
import { ConfigError, type Variables } from '../../config/environment.ts';
import { WORKER_SECRETS } from '../../config/worker-secrets.ts';
import { API_VARIABLES, KEY } from '../support/variables.ts';

function problemsOf(changed: Variables): readonly string[] {
  try {
    readApiConfig({ ...API_VARIABLES, ...changed });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('a production configuration is read with its defaults', () => {
  expect(readApiConfig(API_VARIABLES)).toMatchObject({
    isProduction: true,
    port: 8080,
    host: '127.0.0.1',
    siteUrl: 'https://site.example',
    database: { poolSize: 10 },
    solana: { rpcUrls: ['https://rpc.example/key', 'https://other.example/key'], wsUrl: undefined },
    lookupTable: API_VARIABLES['LOOKUP_TABLE'],
    quoteKeys: [{ id: 'k1', key: Uint8Array.from(Buffer.from(KEY, 'base64')) }],
    rateLimits: { api: 300, launchPrepare: 25, claimPrepare: 20, assetIndex: 300 },
    trustedProxies: [],
    submitWaitMs: 15_000,
    holderSource: 'plain',
  });
});

test('lists are split, numbers are numbers, a trailing slash of the site goes', () => {
  const config = readApiConfig({
    ...API_VARIABLES,
    SITE_URL: 'https://site.example/',
    PORT: '0',
    SOLANA_RPC_URL: 'https://one.example,https://two.example',
    TRUST_PROXY: '10.1.2.0/28, 127.0.0.1',
    QUOTE_KEYS: `new:${KEY},old:${KEY}`,
  });
  expect(config).toMatchObject({
    siteUrl: 'https://site.example',
    port: 0,
    solana: { rpcUrls: ['https://one.example', 'https://two.example'] },
    trustedProxies: ['10.1.2.0/28', '127.0.0.1'],
    quoteKeys: [{ id: 'new' }, { id: 'old' }],
  });
});

test.each(['paged', 'das'])('holders can be asked for by %s', (source) => {
  expect(readApiConfig({ ...API_VARIABLES, HOLDER_SOURCE: source }).holderSource).toBe(source);
  expect(problemsOf({ HOLDER_SOURCE: `${source}!` })).toEqual([
    `HOLDER_SOURCE must be one of plain, paged, das, got "${source}!"`,
  ]);
});

test('every problem is named at once', () => {
  expect(problemsOf({ SITE_URL: undefined, PORT: 'http', LOG_LEVEL: 'loud', TEMPORAL_ADDRESS: ' ' })).toEqual([
    'SITE_URL is not set',
    'TEMPORAL_ADDRESS is not set',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, got "loud"',
    'PORT must be integer, got "http"',
  ]);
});

test.each([
  ['PORT', '70000', 'PORT must be <= 65535, got "70000"'],
  ['PORT', '80.5', 'PORT must be integer, got "80.5"'],
  ['TEMPORAL_ADDRESS', 'http://t:7233', 'TEMPORAL_ADDRESS must be host:port, got "http://t:7233"'],
  ['SITE_URL', 'site.example', 'SITE_URL must be an http or https URL, got "site.example"'],
  [
    'TRUST_PROXY',
    'true',
    'TRUST_PROXY must be IP addresses or networks (CIDR) separated by commas, or a number of proxies, got "true"',
  ],
  ['TRUST_PROXY', '6', 'TRUST_PROXY=6 is more than 5 proxies'],
  [
    'TRUST_PROXY',
    '10.0.0.1, 10.0.0.256',
    'TRUST_PROXY has "10.0.0.256", which is no IP address and no network such as 192.0.2.0/28',
  ],
  [
    'TRUST_PROXY',
    '10.0.0.0/33',
    'TRUST_PROXY has "10.0.0.0/33", which is no IP address and no network such as 192.0.2.0/28',
  ],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, got "loud"'],
])('%s=%s is refused', (name, value, problem) => {
  expect(problemsOf({ [name]: value })).toEqual([problem]);
});

test.each([
  ['QUOTE_KEYS', 'k1:c2VjcmV0LXZhbHVl'],
  ['DATABASE_URL', 'mysql://u:secret-value@db/x'],
  ['SOLANA_RPC_URL', 'rpc.example/secret-value'],
  ['ADMIN_PASSWORD', 'secret-value with spaces'],
])('a malformed %s is named without its value', (name, value) => {
  const problems = problemsOf({ [name]: value });
  expect(problems.join()).toContain(name);
  expect(problems.join()).not.toMatch(/secret-value|c2VjcmV0/);
});

test('a key id that occurs twice is refused, because it would be unclear which key opens a quote', () => {
  expect(problemsOf({ QUOTE_KEYS: `k1:${KEY},k1:${KEY}` })).toEqual(['QUOTE_KEYS names an id twice']);
});

const weak = Buffer.alloc(32).toString('base64');

test.each<[string, Variables]>([
  ['a site without TLS', { SITE_URL: 'http://site.example' }],
  ['no admin password', { ADMIN_PASSWORD: undefined }],
  ['a short admin password', { ADMIN_PASSWORD: 'short-one' }],
  ['a quote key of zeros', { QUOTE_KEYS: `k1:${weak}` }],
  ['a database without a password', { DATABASE_URL: 'postgres://slipway@db.example/slipway' }],
  ['a database with a well-known password', { DATABASE_URL: 'postgres://postgres:postgres@db.example/slipway' }],
  ['a raised rate limit', { RATE_LIMIT_API: '100000' }],
])('production refuses %s', (_what, changed) => {
  expect(problemsOf(changed).join()).toContain('production');
});

test.each([
  ['10.0.0.0/8', 24],
  ['127.0.0.1, 192.168.0.0/23', 24],
  ['0.0.0.0/0', 24],
  ['::ffff:10.0.0.0/104', 24],
  ['0:0:0:0:0:ffff:a00:0/104', 24],
  ['::0:FFFF:10.0.0.0/104', 24],
  ['fd00::/8', 64],
  ['2001:db8::/63', 64],
])('production refuses to believe proxies anywhere in %s', (value, widest) => {
  expect(problemsOf({ TRUST_PROXY: value })).toEqual([expect.stringContaining(`wider than /${widest}`)]);
  expect(problemsOf({ ENVIRONMENT: 'local', TRUST_PROXY: value })).toEqual([]);
});

test.each([
  ['2', 2],
  ['192.0.2.0/24', ['192.0.2.0/24']],
  ['::ffff:192.0.2.0/120', ['::ffff:192.0.2.0/120']],
  ['2001:db8::/64 2001:db8:1::7', ['2001:db8::/64', '2001:db8:1::7']],
])('production believes %s', (value, proxies) => {
  expect(readApiConfig({ ...API_VARIABLES, TRUST_PROXY: value }).trustedProxies).toEqual(proxies);
});

test.each([...WORKER_SECRETS])('production refuses %s in the API’s environment, without its value', (name) => {
  expect(problemsOf({ [name]: 'secret-value' })).toEqual([
    `${name} is for the worker alone and refused in production; remove it`,
  ]);
});

test('the same is allowed elsewhere', () => {
  const local = { ENVIRONMENT: 'local', SITE_URL: 'http://127.0.0.1:8080', ADMIN_PASSWORD: undefined };
  expect(problemsOf({ ...local, RATE_LIMIT_API: '100000' })).toEqual([]);
});

test('no variable puts a stand-in in the place of the exchange: the lookup table of Raydium is always needed', () => {
  const local = { EXCHANGE: 'local', STAND_IN_SEED: KEY, DESK: '1' };
  expect(problemsOf({ ...local, LOOKUP_TABLE: undefined })).toEqual(['LOOKUP_TABLE is not set']);
  expect(readApiConfig({ ...API_VARIABLES, ...local })).toEqual(readApiConfig(API_VARIABLES));
});
