import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ApiInstance } from '../../api/instance.ts';
import { BASE_PATH } from '../../api/base-path.ts';
import { testApp } from '../support/api/test-app.ts';
import { HAPROXY } from '../support/deploy/proxy.ts';
import { type RunningProxy, startRunningProxy } from '../support/deploy/running-proxy.ts';
import { eventually } from '../support/platform/eventually.ts';

/** Fewer than unread responses. */
const PATIENCE_MS = 2_000;
const FOUR = { inAll: 4, patienceMs: PATIENCE_MS };
const TURNS = { busy: FOUR, document: FOUR, read: FOUR, prepare: FOUR, submit: FOUR };
const LIMITS = { perClient: 2, inAll: 6 };
const SLOW = { everyMs: 100, mostMs: 60_000, limits: { body: LIMITS, response: LIMITS } };
const ADDRESSES = Array.from({ length: 20 }, (_, index) => `127.3.0.${index + 1}`);

/** Of the sizes, one stays in the API and one in the buffers of the system. */
const SIZES = [8_000_000, 300_000];

describe.skipIf(HAPROXY === undefined)('behind the proxy of the set-up', () => {
  let api: ApiInstance;
  let proxy: RunningProxy;
  let answered = 0;

  beforeAll(async () => {
    api = await testApp({ turns: TURNS, slowClients: SLOW });
    for (const size of SIZES) {
      const body = Buffer.alloc(size, 'a');
      api.get(`/of/${size}`, async (_request, reply) => reply.type('text/plain').send(body));
    }
    api.addHook('onSend', async ({ url }, _reply, payload) => {
      if (url.startsWith('/of/')) answered += 1;
      return payload;
    });
    const url = await api.listen({ host: '127.0.0.1', port: 0 });
    // The system would take megabytes for a client of this machine.
    const small = ['maxconn 8000\n', 'maxconn 8000\n  tune.sndbuf.client 4096\n  tune.rcvbuf.server 4096\n'] as const;
    proxy = await startRunningProxy([url], [small], 404);
  });
  afterAll(async () => {
    proxy?.stop();
    await api?.close();
  });

  async function leaveUnread(from: string, path: string): Promise<void> {
    const socket = connect({ host: '127.0.0.1', port: proxy.port, localAddress: from }).pause();
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  }

  test.each(SIZES)(
    '60 responses of %i bytes that 20 addresses do not read hold up no read and no submit',
    async (size) => {
      const before = answered;
      for (const from of ADDRESSES)
        await Promise.all(Array.from({ length: 3 }, () => leaveUnread(from, `/of/${size}`)));
      await eventually(async () => (answered === before + 60 ? true : null), 'the responses');
      const began = performance.now();
      for (const from of ['127.0.0.60', ...ADDRESSES.slice(0, 2)]) {
        expect((await proxy.ask({ from, path: '/api' })).status).toBe(404);
        expect((await proxy.ask({ from, path: `${BASE_PATH}/launches/submit`, method: 'POST' })).status).toBe(400);
      }
      expect((await proxy.ask({ from: '127.0.0.61', path: '/of/300000' })).body).toHaveLength(300_000);
      expect(performance.now() - began).toBeLessThan(PATIENCE_MS);
    },
  );
});
