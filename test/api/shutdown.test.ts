import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, onTestFinished, test } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../support/api/serve-slowly.ts');
let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill('SIGKILL');
});

/** Starts the process and reads its address and later lines. */
async function serve(graceMs: number) {
  const running = spawn(process.execPath, [SCRIPT, String(graceMs)], { stdio: ['ignore', 'pipe', 'inherit'] });
  child = running;
  const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  return { running, url: await line(), line, exit: once(running, 'exit') as Promise<[number | null]> };
}

test('SIGTERM lets a request in flight end, refuses new connections, and ends with status 0', async () => {
  const { running, url, line, exit } = await serve(10_000);
  const answer = fetch(`${url}/slow/700`);
  expect(await line()).toBe('started');
  running.kill('SIGTERM');
  expect(await (await answer).json()).toMatchObject({ data: { finished: true } });
  expect((await exit)[0]).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

test('a request that takes longer than the grace period does not hold the process', async () => {
  const { running, url, line, exit } = await serve(300);
  const answer = fetch(`${url}/slow/3600000`).catch((error: unknown) => error);
  expect(await line()).toBe('started');
  running.kill('SIGINT');
  expect((await exit)[0]).toBe(1);
  expect(await answer).toBeInstanceOf(Error);
});

test('a second signal ends the process at once', async () => {
  const { running, url, line, exit } = await serve(60_000);
  const answer = fetch(`${url}/slow/60000`).catch((error: unknown) => error);
  expect(await line()).toBe('started');
  running.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 200));
  running.kill('SIGTERM');
  expect((await exit)[0]).toBe(1);
  expect(await answer).toBeInstanceOf(Error);
});

/** Connects and sends this; what it sends and reads afterwards is the test's. */
async function open(url: string, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The server destroys it.
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

test('clients that send byte by byte or read nothing do not hold a process that shuts down, nor take the answer of another', async () => {
  const { running, url, line, exit } = await serve(3_600_000);
  const post = 'POST /api/public/v1/launches/submit HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
  const slow = [
    await open(url, 'GET /healthz HTTP/1.1\r\nhost: a\r\nx-slow: '),
    await open(url, `${post}content-length: 100000\r\n\r\n{`),
  ];
  const trickle = setInterval(() => slow.forEach((socket) => socket.writable && socket.write(' ')), 100);
  onTestFinished(() => clearInterval(trickle));
  const deaf = await open(url, 'GET /large HTTP/1.1\r\nhost: a\r\n\r\n');
  await once(deaf, 'readable');
  const answer = fetch(`${url}/slow/5000`);
  expect(await line()).toBe('started');
  running.kill('SIGTERM');
  expect(await (await answer).json()).toMatchObject({ data: { finished: true } });
  expect((await exit)[0]).toBe(0);
});
