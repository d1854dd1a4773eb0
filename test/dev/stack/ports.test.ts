import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { choosePorts, createPortAllocator } from '../../../dev/stack/ports.ts';

async function occupy(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
}

/** What is drawn for this port; its middle, since a division that is multiplied back may fall short. */
const drawOf = (port: number) => (port - 20_000 + 0.5) / 12_000;

function portsFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-ports-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  return join(directory, 'ports.json');
}

test('a port is handed out once, and one in use never', async () => {
  const draws = [0, 0, 0.5, 0.75];
  const first = await createPortAllocator()();
  await occupy(first);
  draws[1] = drawOf(first);
  const free = createPortAllocator(() => draws.shift() ?? 0.9);
  const handedOut = [await free(), await free()];
  expect(new Set(handedOut).size).toBe(2);
  expect(handedOut).not.toContain(first);
});

test('ports in a row are all free', async () => {
  const free = createPortAllocator();
  const first = await free(2);
  await occupy(first + 1);
  const other = createPortAllocator(() => drawOf(first));
  await expect(other(2)).rejects.toThrow('no free port');
});

test('kept ports are used again while they are free, else all are drawn anew', async () => {
  const file = portsFile();
  const ports = await choosePorts(file, 0);
  expect(await choosePorts(file, undefined)).toEqual(ports);
  await occupy(ports.postgres);
  expect((await choosePorts(file, undefined)).postgres).not.toBe(ports.postgres);
});

test('a wanted API port that is taken is an error that names it', async () => {
  const port = await createPortAllocator()();
  await occupy(port);
  await expect(choosePorts(portsFile(), port)).rejects.toThrow(`port ${port} (PORT) is taken`);
});

test('a wanted API port wins over the kept one', async () => {
  const file = portsFile();
  await choosePorts(file, 0);
  const wanted = await createPortAllocator()();
  expect((await choosePorts(file, wanted)).api).toBe(wanted);
});
