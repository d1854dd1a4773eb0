import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenToPools } from '../../chain/market/pool-push.ts';
import { eventually } from '../support/platform/eventually.ts';

/** A websocket endpoint that answers subscriptions and can be made to fall silent, to refuse, or to go away. */
interface Endpoint {
  readonly url: string;
  readonly requests: { readonly method: string; readonly params: readonly unknown[] }[];
  silent: boolean;
  refuses: boolean;
  notify(subscription: number): void;
  say(text: string): void;
  hangUp(): void;
  close(): Promise<void>;
}

let endpoint: Endpoint;
let stop: AbortController;
let heard: string[];
let troubles: unknown[];

beforeEach(async () => {
  [endpoint, stop, heard, troubles] = [await startEndpoint(), new AbortController(), [], []];
});
afterEach(async () => {
  stop.abort();
  await endpoint.close();
});

function listen(pools: () => readonly string[], over: { silenceMs?: number } = {}): Promise<void> {
  // A listener of an earlier test that is just ending must not write into this test's lists.
  const [changes, faults] = [heard, troubles];
  return listenToPools(
    {
      url: endpoint.url,
      pools: () => Promise.resolve(pools()),
      onChange: (pool) => changes.push(pool),
      onTrouble: (error) => faults.push(error),
      refreshMs: 30,
      ...over,
    },
    stop.signal,
  );
}

const subscribed = (count: number) =>
  eventually(() => Promise.resolve(asked('accountSubscribe').length >= count ? true : null));
const asked = (method: string) => endpoint.requests.filter((request) => request.method === method);

describe('listening to pools', () => {
  it('tells of a change of each pool, and follows the list of pools', async () => {
    let pools = ['one', 'two'];
    const listening = listen(() => pools);
    await subscribed(2);
    endpoint.notify(102);
    await eventually(() => Promise.resolve(heard.length > 0 ? true : null));
    expect(heard).toEqual(['one']);
    pools = ['two', 'three'];
    await subscribed(3);
    await eventually(() => Promise.resolve(asked('accountUnsubscribe').length > 0 ? true : null));
    expect(asked('accountUnsubscribe')).toMatchObject([{ params: [102] }]);
    endpoint.notify(102);
    endpoint.notify(105);
    await eventually(() => Promise.resolve(heard.length > 1 ? true : null));
    expect(heard).toEqual(['one', 'three']);
    stop.abort();
    await listening;
  });

  it('connects again when the connection is lost, and subscribes anew', async () => {
    void listen(() => ['one']);
    await subscribed(1);
    endpoint.hangUp();
    await subscribed(2);
  });

  it('gives up a connection on which nothing is heard any more', async () => {
    endpoint.silent = true;
    void listen(() => ['one'], { silenceMs: 100 });
    await subscribed(2);
  });

  it('outlives text that is no JSON, unknown messages and refused subscriptions', async () => {
    endpoint.refuses = true;
    void listen(() => ['one']);
    await eventually(() => Promise.resolve(troubles.length > 0 ? true : null));
    expect(String(troubles[0])).toContain('no more subscriptions');
    endpoint.say('{"hello":1}');
    endpoint.say('this is no JSON');
    endpoint.refuses = false;
    endpoint.hangUp();
    await subscribed(2);
  });

  it('ends when it is told to, also while nothing answers', async () => {
    await endpoint.close();
    const listening = listen(() => ['one']);
    await sleep(50);
    stop.abort();
    await listening;
    expect(troubles.length).toBeGreaterThan(0);
  });
});

async function startEndpoint(): Promise<Endpoint> {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new WebSocketServer({ server });
  const all = (text: string): void => sockets.clients.forEach((client) => client.send(text));
  const started: Endpoint = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    silent: false,
    refuses: false,
    notify: (subscription) =>
      all(JSON.stringify({ method: 'accountNotification', params: { subscription, result: {} } })),
    say: all,
    hangUp: () => sockets.clients.forEach((client) => client.terminate()),
    close: async () => {
      sockets.clients.forEach((client) => client.terminate());
      await new Promise((resolve) => server.close(resolve));
    },
  };
  sockets.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const { id, method, params } = JSON.parse(data.toString()) as { id: number; method: string; params: unknown[] };
      started.requests.push({ method, params });
      if (started.silent) return;
      const error = { message: 'no more subscriptions' };
      socket.send(JSON.stringify(started.refuses ? { id, error } : { id, result: 100 + id }));
    }),
  );
  return started;
}
