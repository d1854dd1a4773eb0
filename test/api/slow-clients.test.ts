import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { ApiInstance } from '../../api/instance.ts';
import { testApp } from '../support/api/test-app.ts';
import { eventually } from '../support/platform/eventually.ts';

const LIMITS = { perClient: 2, inAll: 3 };
const SETTINGS = { everyMs: 100, mostMs: 60_000, limits: { body: LIMITS, response: LIMITS } };
/** More than the buffers of a connection hold. */
const LARGE = 'a'.repeat(30_000_000);
const PREPARE = '/api/public/v1/launches/prepare';

let app: ApiInstance | undefined;
/** Connections that the present API took and that were closed. */
let counted = { taken: 0, closed: 0 };
afterEach(() => app?.close());

/** Returns what opens a connection that asks from an address of loopback and then neither sends nor reads. */
async function startApi(settings = SETTINGS) {
  app = await testApp({ slowClients: settings });
  app.get('/large', async (_request, reply) => reply.header('content-type', 'text/plain').send(LARGE));
  const own = (counted = { taken: 0, closed: 0 });
  app.server.on('connection', (socket: Socket) => {
    own.taken += 1;
    socket.once('close', () => (own.closed += 1));
  });
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  return async (localAddress: string, text: string): Promise<Socket> => {
    const socket = connect({ host: '127.0.0.1', port, localAddress }).pause();
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
}

const slowBody = `POST ${PREPARE} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`;
const largeAnswer = (headers = '') => `GET /large HTTP/1.1\r\nhost: a\r\n${headers}\r\n`;

/** Reads the response of a connection to its end. */
async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (part) => (text += String(part)));
  socket.resume();
  await once(socket, 'close');
  return text;
}

test('a client that sends more requests slowly than its share is answered that they take too long, and others are not', async () => {
  const open = await startApi();
  const own = await openAll(open, Array<string>(3).fill('127.0.0.2'), slowBody);
  const first = await Promise.race(own.map(answerOf));
  expect(first).toMatch(/^HTTP\/1\.1 503 .*"the request took too long to arrive; send it again"/s);
  const other = await open('127.0.0.3', slowBody);
  await expect(Promise.race([once(other, 'close'), pause(500)])).resolves.toBe('still open');
  expect([...own, other].filter(({ destroyed }) => destroyed)).toHaveLength(1);
});

test('a client that leaves more responses unread than its share is cut off, and quick ones are served', async () => {
  const open = await startApi();
  const own = await openAll(open, Array<string>(3).fill('127.0.0.2'), largeAnswer());
  await expectCutOff(own, 1);
  expect(
    await answerOf(await open('127.0.0.2', 'GET /logo.svg HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')),
  ).toContain('<svg');
});

test('slow clients of all addresses have a bounded number of places, which they give back', async () => {
  const open = await startApi();
  const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
  const sockets = await openAll(open, addresses, largeAnswer());
  await expectCutOff(sockets, 1);
  for (const socket of sockets) socket.destroy();
  await eventually(async () => (counted.closed === 4 ? true : null), 'the end of all connections');
  await openAll(open, addresses.slice(1), largeAnswer());
  await eventually(async () => (counted.taken === 7 ? true : null), 'three more connections');
  await pause(1_000);
  expect(counted).toEqual({ taken: 7, closed: 4 });
});

test('where slow clients are too many, those that hold most are cut off, and one that has but one place is not', async () => {
  const open = await startApi();
  const one = await open('127.0.0.2', slowBody);
  await pause(200);
  await openAll(open, ['127.0.0.3', '127.0.0.3', '127.0.0.4', '127.0.0.4'], slowBody);
  await eventually(async () => (counted.closed === 2 ? true : null), 'two of five cut off');
  await expect(Promise.race([once(one.resume(), 'end'), pause(500)])).resolves.toBe('still open');
});

test('where slow clients are too many, a request that arrives is kept before those that do not', async () => {
  const open = await startApi();
  const arriving = await open('127.0.0.2', slowBody);
  const timer = setInterval(() => arriving.write('a'), 30);
  onTestFinished(() => clearInterval(timer));
  await openAll(open, ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'], slowBody);
  await eventually(async () => (counted.closed === 2 ? true : null), 'two of five cut off');
  await expect(Promise.race([once(arriving.resume(), 'end'), pause(500)])).resolves.toBe('still open');
});

test('a response that is not taken within the longest time is cut off', async () => {
  const open = await startApi({ ...SETTINGS, mostMs: 500 });
  await expectCutOff([await open('127.0.0.2', largeAnswer())], 1);
});

type Open = Awaited<ReturnType<typeof startApi>>;

function openAll(open: Open, addresses: readonly string[], text: string): Promise<Socket[]> {
  return Promise.all(addresses.map((address) => open(address, text)));
}

function pause(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'still open'));
}

/** A client that reads nothing is told of no reset, so the API is asked. */
async function expectCutOff({ length }: readonly Socket[], count: number): Promise<void> {
  const isCut = async () => (counted.taken === length && counted.closed === count ? true : null);
  await eventually(isCut, `${count} of ${length} connections cut off`);
  await pause(500);
  expect(counted.closed).toBe(count);
}
