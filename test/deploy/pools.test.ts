import { expect, test } from 'vitest';
import { BOUNDS, REQUEST_CONNECTIONS } from '../../api/app.ts';
import { READS_AT_ONCE } from '../../api/events/log-reader.ts';
import { STREAM_SETTINGS } from '../../api/events/stream-settings.ts';
import { SLOW_CLIENTS } from '../../api/plugins/slow-clients.ts';
import { testConfig } from '../support/api/api-config.ts';
import { readProxyPools } from '../support/deploy/pools.ts';

const proxy = readProxyPools();
const { perClient, inAll } = STREAM_SETTINGS.limits;
const { streams = Number.NaN, ...ofRequests } = proxy.ofServer;
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

test('the proxy has pools for reads, submits, busy clients and streams, and no other', () => {
  expect(Object.keys(proxy.ofServer).sort()).toEqual(['apis', 'crowd', 'streams', 'submits']);
});

test('streams that are open everywhere leave the proxy most of its connections', () => {
  expect(streams * proxy.servers).toBeLessThan(proxy.connections / 2);
});

test('one source that has all its streams open can still make all its requests', () => {
  expect(proxy.streamsOfClient + proxy.requestsOfClient).toBeLessThanOrEqual(proxy.connectionsOfSource);
  expect(perClient).toBeLessThan(proxy.streamsOfClient);
});

test('the proxy opens fewer streams than an API has places, and fewer than it sends requests', () => {
  expect(streams).toBeLessThan(inAll);
  // A stream that the proxy took for a request would leave requests their places.
  expect(inAll).toBeLessThan(ofRequests['apis'] ?? 0);
});

test('clients that send or read slowly leave quick ones most places, and one client has a small share', () => {
  const { body, response } = SLOW_CLIENTS.limits;
  const { apis = 0, submits = 0, crowd = 0 } = ofRequests;
  expect(body.inAll).toBeLessThan(submits / 2);
  expect(body.inAll + response.inAll).toBeLessThan(apis / 2);
  expect(proxy.submitsOfClient).toBeLessThanOrEqual(submits / 20);
  expect(proxy.requestsOfClient).toBeLessThanOrEqual(apis / 20);
  expect(proxy.requestsOfBusyClient).toBeLessThanOrEqual(crowd / 10);
  for (const limits of [body, response]) expect(limits.perClient).toBeLessThanOrEqual(limits.inAll / 10);
});

test('an API takes all that the proxy sends, and its streams take none of its connections for requests', () => {
  expect(sum(Object.values(ofRequests))).toBeLessThan(REQUEST_CONNECTIONS);
  expect(BOUNDS.connections).toBe(REQUEST_CONNECTIONS + inAll);
});

test('streams that catch up leave requests most connections to the database', () => {
  const oneReadForAllLive = 1;
  expect(READS_AT_ONCE + oneReadForAllLive).toBeLessThan(testConfig({}).database.poolSize / 2);
});
