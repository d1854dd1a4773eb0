import { expect, test } from 'vitest';
import { BOUNDS, REQUEST_CONNECTIONS } from '../../api/app.ts';
import { READS_AT_ONCE } from '../../api/events/log-reader.ts';
import { STREAM_SETTINGS } from '../../api/events/stream-settings.ts';
import { SLOW_CLIENTS } from '../../api/plugins/slow-clients.ts';
import { TURNS } from '../../api/plugins/turns.ts';
import { testConfig } from '../support/api/api-config.ts';
import { readProxyPools } from '../support/deploy/pools.ts';

const proxy = readProxyPools();
const { perClient, inAll } = STREAM_SETTINGS.limits;
const { streams = Number.NaN } = proxy.ofServer;
const { atOnce } = TURNS;

test('the proxy bounds streams of an API alone: a place there is held until a client has read', () => {
  expect(Object.keys(proxy.ofServer)).toEqual(['streams']);
});

test('streams that are open everywhere leave the proxy most of its connections', () => {
  expect(streams * proxy.servers).toBeLessThan(proxy.connections / 2);
});

test('one source that has all its streams open can still make all its requests', () => {
  expect(proxy.streamsOfClient + proxy.requestsOfClient).toBeLessThanOrEqual(proxy.connectionsOfSource);
  expect(perClient).toBeLessThan(proxy.streamsOfClient);
});

test('the proxy opens fewer streams than an API has places', () => {
  expect(streams).toBeLessThan(inAll);
});

test('clients that send slowly leave quick ones most turns, and one client has a small share of all', () => {
  const { body, response } = SLOW_CLIENTS.limits;
  for (const kind of ['prepare', 'submit'] as const) expect(body.inAll).toBeLessThan(atOnce[kind] / 2);
  expect(proxy.submitsOfClient).toBeLessThanOrEqual(atOnce.submit / 20);
  expect(proxy.requestsOfClient).toBeLessThan(atOnce.read / 10);
  expect(proxy.requestsOfBusyClient).toBeLessThan(proxy.requestsOfClient / 2);
  expect(proxy.requestsWhenFull).toBeLessThan(proxy.requestsOfClient / 2);
  for (const limits of [body, response]) expect(limits.perClient).toBeLessThanOrEqual(limits.inAll / 10);
});

test('two APIs take all connections of the proxy, and their streams take none of those for requests', () => {
  expect(2 * REQUEST_CONNECTIONS).toBeGreaterThanOrEqual(proxy.connections);
  expect(BOUNDS.connections).toBe(REQUEST_CONNECTIONS + inAll);
});

test('streams that catch up leave requests most connections to the database', () => {
  const oneReadForAllLive = 1;
  expect(READS_AT_ONCE + oneReadForAllLive).toBeLessThan(testConfig({}).database.poolSize / 2);
});
