import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket as Peer, WebSocketServer } from 'ws';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLandingHints, type LandingHints } from '../../../chain/rpc/landing-hints.ts';

/** An endpoint that takes every subscription by the number of its request, and more than that only when told. */
let server: WebSocketServer;
let peers: Peer[];
let asked: { id: number; method: string; params: unknown[] }[];
let troubles: string[];
let hints: LandingHints;

beforeEach(async () => {
  [peers, asked, troubles] = [[], [], []];
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (peer) => {
    peers.push(peer);
    peer.on('message', (data: Buffer) => {
      const request = JSON.parse(data.toString('utf8')) as (typeof asked)[number];
      asked.push(request);
      if (request.method === 'signatureSubscribe')
        peer.send(JSON.stringify({ id: request.id, result: 70 + request.id }));
    });
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  hints = createLandingHints({
    url: `ws://127.0.0.1:${port}/a-key`,
    onTrouble: ({ message }) => void troubles.push(message),
  });
});
afterEach(() => {
  hints.close();
  server.close();
  for (const peer of peers) peer.terminate();
});

const tell = (subscription: number) =>
  peers.at(-1)?.send(JSON.stringify({ method: 'signatureNotification', params: { subscription, result: {} } }));

it('tells of the transaction that landed, once, and of no other', async () => {
  const heard: string[] = [];
  const first = hints.listen('first', () => heard.push('first'));
  const second = hints.listen('second', () => heard.push('second'));
  expect([first.isLive(), second.isLive()]).toEqual([false, false]);
  await expect.poll(() => [first.isLive(), second.isLive()]).toEqual([true, true]);
  expect(asked.map(({ params }) => params)).toEqual([
    ['first', { commitment: 'confirmed' }],
    ['second', { commitment: 'confirmed' }],
  ]);
  for (const subscription of [72, 72, 99]) tell(subscription);
  await expect.poll(() => heard).toEqual(['second']);
  expect([first.isLive(), second.isLive()]).toEqual([true, false]);
  expect(peers).toHaveLength(1);
});

it('ends a subscription that nobody needs any more', async () => {
  const listening = hints.listen('first', () => undefined);
  await expect.poll(() => listening.isLive()).toBe(true);
  listening.stop();
  expect(listening.isLive()).toBe(false);
  await expect.poll(() => asked.at(-1)).toMatchObject({ method: 'signatureUnsubscribe', params: [71] });
});

it('is live no more where the connection is gone, and hears on another one of what comes then', async () => {
  const before = hints.listen('first', () => undefined);
  await expect.poll(() => before.isLive()).toBe(true);
  peers[0]?.terminate();
  await expect.poll(() => before.isLive()).toBe(false);
  const heard: string[] = [];
  const after = hints.listen('second', () => heard.push('second'));
  await expect.poll(() => [before.isLive(), after.isLive()]).toEqual([true, true]);
  tell(72);
  await expect.poll(() => heard).toEqual(['second']);
});

it('takes nothing that it does not understand for a landing', async () => {
  const listening = hints.listen('first', () => expect.unreachable('nothing landed'));
  await expect.poll(() => listening.isLive()).toBe(true);
  for (const text of ['', '[]', '{"method":"signatureNotification"}', '{"method":"x","params":{"subscription":71}}'])
    peers[0]?.send(text);
  listening.stop();
  await expect.poll(() => asked.at(-1)?.method).toBe('signatureUnsubscribe');
});

it('says nothing of a key where nobody answers, and lets everybody go on', async () => {
  server.close();
  for (const peer of peers) peer.terminate();
  const listening = hints.listen('first', () => undefined);
  await expect.poll(() => troubles).toHaveLength(1);
  expect(troubles[0]).not.toContain('a-key');
  expect(listening.isLive()).toBe(false);
});
