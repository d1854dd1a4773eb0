import { expect, test } from 'vitest';
import { BOUNDS, REQUEST_CONNECTIONS } from '../../api/app.ts';
import { PARTS_AT_ONCE } from '../../api/documents/document.get.ts';
import { READS_AT_ONCE } from '../../api/events/log-reader.ts';
import { STREAM_SETTINGS } from '../../api/events/stream-settings.ts';
import { SLOW_CLIENTS } from '../../api/plugins/slow-clients.ts';
import { TURNS } from '../../api/plugins/turns.ts';
import { testConfig } from '../support/api/api-config.ts';
import { readProxyPools } from '../support/deploy/pools.ts';

const proxy = readProxyPools();
const { perClient, inAll } = STREAM_SETTINGS.limits;
const { streams = Number.NaN } = proxy.ofServer;

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
  for (const { inAll: turns } of [TURNS.prepare, TURNS.submit]) expect(body.inAll).toBeLessThan(turns / 2);
  expect(response.inAll).toBeLessThan(TURNS.document.inAll);
  const { busy, ...shared } = TURNS;
  expect(busy.inAll).toBe(1);
  for (const { perClient = NaN, inAll: turns } of Object.values(shared))
    expect(perClient).toBeLessThanOrEqual(turns / 10);
  expect(proxy.requestsOfBusyClient).toBeLessThan(proxy.requestsOfClient / 2);
  expect(proxy.requestsWhenFull).toBeLessThan(proxy.requestsOfClient / 2);
  for (const limits of [body, response]) expect(limits.perClient).toBeLessThanOrEqual(limits.inAll / 10);
});

test('two APIs take all connections of the proxy, and their streams take none of those for requests', () => {
  expect(2 * REQUEST_CONNECTIONS).toBeGreaterThanOrEqual(proxy.connections);
  expect(BOUNDS.connections).toBe(REQUEST_CONNECTIONS + inAll);
});

test('streams that catch up and documents leave requests most connections to the database', () => {
  const oneReadForAllLive = 1;
  expect(READS_AT_ONCE + PARTS_AT_ONCE + oneReadForAllLive).toBeLessThanOrEqual(testConfig({}).database.poolSize / 2);
});

test('few requests of an API wait for each connection to the database', () => {
  const { read, prepare, submit } = TURNS;
  const atOnce = read.inAll + prepare.inAll + submit.inAll;
  expect(atOnce / testConfig({}).database.poolSize).toBeLessThanOrEqual(80);
});
