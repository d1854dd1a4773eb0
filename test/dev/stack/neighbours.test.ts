import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openAdminServer } from '../../../dev/block-engine/admin-server.ts';
import { createFaultSwitch } from '../../../dev/block-engine/fault.ts';
import { startLocalnet } from '../../../dev/localnet/index.ts';
import type { PartInstance } from '../../../dev/stack/health.ts';
import { groupListensOn, listeningInodes } from '../../../dev/stack/listening.ts';
import { neighbourOn } from '../../../dev/stack/neighbour.ts';
import { apiPart, blockEnginePart, localnetPart, workerPart } from '../../../dev/stack/node-parts.ts';
import type { PartSpec } from '../../../dev/stack/part.ts';
import { freePort } from '../../../dev/stack/ports.ts';
import { identify } from '../../../dev/stack/process-table.ts';
import { RunningPart } from '../../../dev/stack/running-part.ts';

const signal = new AbortController().signal;
const instance: PartInstance = { id: 'this-start', pid: process.pid };

/** What each part would answer when it is ready. */
const READY = '{"jsonrpc":"2.0","id":1,"result":"ok","ready":true,"status":"ok"}';

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers 200 to everything. */
function agreeable(headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return listening(
    createServer((_request, response) => {
      response.writeHead(200, { server: 'agreeable/1.0', connection: 'close', ...headers }).end(READY);
    }),
  );
}

const PARTS: readonly (readonly [name: string, at: (port: number) => PartSpec])[] = [
  ['api', (port) => apiPart('api.ts', port, {})],
  ['worker', (port) => workerPart('worker.ts', port, {})],
  ['block-engine', (port) => blockEnginePart('engine.ts', { port, adminPort: port, rpcUrl: '', env: {} })],
  [
    'localnet',
    (port) =>
      localnetPart('chain.ts', { port, streamPort: 0, stateDirectory: '', programsDirectory: undefined, env: {} }),
  ],
];

test.each(PARTS)('a program that answers 200 to everything is not taken for the %s', async (_name, at) => {
  const check = at(await agreeable()).health(signal, instance);
  await expect(check).rejects.toThrow(/answered by another program, without the x-instance-id .*agreeable\/1\.0/);
});

test.each(PARTS)('another start of the %s is not taken for this one', async (_name, at) => {
  const check = at(await agreeable({ 'x-instance-id': 'another-start' })).health(signal, instance);
  await expect(check).rejects.toThrow('answered by another program');
});

test.each(PARTS)('the %s that was started is ready', async (_name, at) => {
  await at(await agreeable({ 'x-instance-id': instance.id })).health(signal, instance);
});

test('the local chain and the HTTP port of the block engine tell which start they are', async () => {
  const chain = await startLocalnet({ slotMs: 0, instanceId: instance.id });
  const engine = await openAdminServer(
    createFaultSwitch(() => undefined),
    { port: 0, instanceId: instance.id },
  );
  onTestFinished(async () => {
    await Promise.all([chain.close(), engine.close()]);
  });
  const [ofChain, ofEngine] = [PARTS[3]![1](chain.port), PARTS[2]![1](engine.port)];
  await ofChain.health(signal, instance);
  await ofEngine.health(signal, instance);
});

function sh(script: string, port: number, overrides: Partial<PartSpec> = {}): RunningPart {
  const spec: PartSpec = {
    ...apiPart('api.ts', port, {}),
    command: '/bin/sh',
    args: ['-c', script],
    env: {},
    ...overrides,
  };
  const directory = mkdtempSync(join(tmpdir(), 'slipway-neighbour-'));
  const logFile = join(directory, 'part.log');
  const part = new RunningPart(spec, { logFile, onEvent: () => undefined, onProcess: () => undefined });
  onTestFinished(async () => {
    await part.stop();
    rmSync(directory, { recursive: true });
  });
  return part;
}

async function firstLineOfFailure(part: RunningPart): Promise<string> {
  const error = await part.start().then(
    () => null,
    (failure: unknown) => failure,
  );
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

test('a part that ends because its port is held names itself, the port and what answers there', async () => {
  const port = await agreeable();
  expect(await firstLineOfFailure(sh('exit 3', port))).toBe(
    `api at http://127.0.0.1:${port} did not become ready: another program holds port ${port} and answers HTTP/1.1 200 OK (server: agreeable/1.0); ours: exited with status 3`,
  );
});

test('a part that lives beside a program on its port is not ready either', async () => {
  const port = await agreeable();
  const line = await firstLineOfFailure(sh('exec sleep 60', port, { readyWithinMs: 50 }));
  expect(line).toContain(`another program holds port ${port} and answers HTTP/1.1 200 OK (server: agreeable/1.0)`);
});

test('a part that ends by itself blames no neighbour', async () => {
  const port = await freePort();
  expect(await firstLineOfFailure(sh('exit 3', port))).toBe(
    `api at http://127.0.0.1:${port} did not become ready: exited with status 3`,
  );
});

test('each start of a part has an id of its own in its environment', async () => {
  const ids: string[] = [];
  const health = (_signal: AbortSignal, { id }: PartInstance) => Promise.resolve(void ids.push(id));
  const script = `test -n "$INSTANCE_ID" && exec sleep 60`;
  for (let start = 0; start < 2; start += 1) {
    const part = sh(script, 1, { health });
    await part.start();
    expect(identify(part.record!.pid)).toBeDefined();
    await part.stop();
  }
  expect(new Set(ids).size).toBe(2);
});

test('what holds a port is described, whatever it speaks', async () => {
  const silent = await listening(createTcpServer((socket) => socket.destroy()));
  const other = await listening(createTcpServer((socket) => socket.end('220 mail.example ESMTP\r\n\r\n')));
  expect(await neighbourOn([silent])).toBe(`another program holds port ${silent} and answers nothing to HTTP`);
  expect(await neighbourOn([other])).toBe(`another program holds port ${other} and answers something other than HTTP`);
  expect(await neighbourOn([await freePort()])).toBeNull();
});

test('Linux tells which process listens on a port', async () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0 100 0 0 10 0',
    '   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 222 1 0 100 0 0 10 0',
    '   2: 00000000:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1 0 100 0 0 10 0',
  ].join('\n');
  expect(listeningInodes(table, 8080)).toEqual(['111']);
  expect(listeningInodes(table, 8081)).toEqual(['333']);
});

test.runIf(process.platform === 'linux')('a port of this process is not that of another group', async () => {
  const port = await agreeable();
  const part = sh('exec sleep 60', port, { health: () => Promise.resolve() });
  await part.start();
  expect(groupListensOn(part.record!.pid, port)).toBe(false);
});
