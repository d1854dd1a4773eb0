import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';

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
