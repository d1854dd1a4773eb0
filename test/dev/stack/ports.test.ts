import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { choosePorts, freePort, isFree } from '../../../dev/stack/ports.ts';

const PORTS_MODULE = join(import.meta.dirname, '../../../dev/stack/ports.ts');

async function occupy(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
}

function portsFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-ports-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  return join(directory, 'ports.json');
}

test('a port is handed out once, and one in use never', async () => {
  const first = await freePort();
  await occupy(first + 1);
  const others = await Promise.all([freePort(), freePort(), freePort()]);
  expect(new Set([first, ...others]).size).toBe(4);
  expect(others).not.toContain(first + 1);
});

test('ports in a row are all free', async () => {
  const before = await freePort();
  await occupy(before + 2);
  const first = await freePort(2);
  expect([first, first + 1]).not.toContain(before + 2);
  expect(await Promise.all([isFree(first), isFree(first + 1)])).toEqual([true, true]);
});

test('processes that start at once get no port in common', async () => {
  const program = `import { freePort } from ${JSON.stringify(PORTS_MODULE)};
    for (let n = 0; n < 150; n += 1) console.log(await freePort());
    process.stdin.resume();`;
  const processes = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const drawn = await Promise.all(
    processes.map(async ({ stdout }) => {
      const ports: string[] = [];
      for await (const port of createInterface(stdout)) if (ports.push(port) === 150) break;
      return ports;
    }),
  );
  for (const { stdin } of processes) stdin.end();
  expect(new Set(drawn.flat()).size).toBe(600);
});

test('kept ports are used again while they are free, else all are drawn anew', async () => {
  const file = portsFile();
  const ports = await choosePorts(file, 0);
  expect(await choosePorts(file, undefined)).toEqual(ports);
  await occupy(ports.postgres);
  expect((await choosePorts(file, undefined)).postgres).not.toBe(ports.postgres);
});

test('a wanted API port that is taken is an error that names it', async () => {
  const port = await freePort();
  await occupy(port);
  await expect(choosePorts(portsFile(), port)).rejects.toThrow(`port ${port} (PORT) is taken`);
});

test('a wanted API port wins over the kept one', async () => {
  const file = portsFile();
  await choosePorts(file, 0);
  const wanted = await freePort();
  expect((await choosePorts(file, wanted)).api).toBe(wanted);
});
