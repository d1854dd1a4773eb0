import { connect as connectSocket, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { notCharged } from '../../api/errors.ts';
import { addLogFields, createLogger } from '../../api/plugins/logging.ts';
import { testApp } from '../support/api/test-app.ts';

const MINT = 'So11111111111111111111111111111111111111112';

const BodySchema = Type.Object(
  { signedTransaction: Type.String({ maxLength: 20 }), logo: Type.Optional(Type.String()) },
  { additionalProperties: false },
);

/** An API whose log lines are collected. */
async function loggedApp() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = await testApp({ logger: createLogger('debug', destination) });
  app.get('/tokens/:mint/probe', async () => ({ data: {}, meta: {} }));
  app.post('/probe', { schema: { body: BodySchema } }, async (request) => {
    addLogFields(request, { quoteId: 'q-1', workflowId: 'launch-q-1' });
    request.log.info({ body: request.body, headers: request.headers }, 'careless line');
    throw notCharged('the bundle did not land', 'sig-1');
  });
  return { app, lines, log: () => lines.join('') };
}

test('a request is one line with its id, route, status and the business ids in its path', async () => {
  const { app, lines } = await loggedApp();
  await app.inject({ url: `/tokens/${MINT}/probe?x=1`, headers: { 'x-request-id': 'trace-7' } });
  await app.inject({ url: `/tokens/${MINT}/probe`, headers: { 'x-request-id': 'trace-8' } });
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({
    requestId: 'trace-8',
    route: '/tokens/:mint/probe',
    status: 200,
    mint: MINT,
    process: 'api',
  });
  await app.close();
});

test('signed transactions, logos and the admin password never reach the log, whatever fails', async () => {
  const { app, log } = await loggedApp();
  const headers = { 'x-admin-password': 'hunter2-hunter2' };
  const secret = { signedTransaction: 'SIGNED-WIRE', logo: 'data:image/png;base64,LOGOBYTES' };
  await app.inject({ method: 'POST', url: '/probe', payload: secret, headers });
  await app.inject({ method: 'POST', url: '/probe', payload: { signedTransaction: 'SIGNED-WIRE'.repeat(9) }, headers });
  await app.inject({
    method: 'POST',
    url: '/probe',
    payload: '{"signedTransaction":"SIGNED-WIRE',
    headers: { ...headers, 'content-type': 'application/json' },
  });
  await app.inject({ method: 'POST', url: '/nothing?password=hunter2-hunter2', payload: secret, headers });
  expect(log()).toContain('careless line');
  expect(log()).not.toMatch(/SIGNED-WIRE|LOGOBYTES|hunter2/);
  await app.close();
});

test('ids added on the way are in every later line, also in the one of the failure', async () => {
  const { app, lines } = await loggedApp();
  await app.inject({ method: 'POST', url: '/probe', payload: { signedTransaction: 'x' } });
  const later = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(later.map(({ msg }) => msg)).toEqual(['careless line', 'request refused', 'request']);
  for (const line of later) expect(line).toMatchObject({ quoteId: 'q-1', workflowId: 'launch-q-1' });
  await app.close();
});

test.each([
  ['closes', (socket: Socket) => socket.destroy()],
  ['resets', (socket: Socket) => socket.resetAndDestroy()],
])('a client that %s its connection in the middle of its body is no failure of the service', async (_how, hangUp) => {
  const { app, lines } = await loggedApp();
  const arrived = new Promise<void>((resolve) => {
    app.addHook('preParsing', async () => {
      resolve();
    });
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  lines.splice(0);
  const socket = connectSocket(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST /probe HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"a');
  await arrived;
  hangUp(socket);
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  await app.close();
  const [line] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(line).toMatchObject({ level: 20, code: 'invalid_request', route: '/probe' });
  expect(lines.join('')).not.toMatch(/"level":[45]0/);
});
