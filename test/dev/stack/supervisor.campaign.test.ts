import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpHealth } from '../../../dev/stack/health.ts';
import type { PartSpec, StackEvent } from '../../../dev/stack/part.ts';
import { freePort } from '../../../dev/stack/ports.ts';
import { groupIsAlive, identify } from '../../../dev/stack/process-table.ts';
import { readRunRecord } from '../../../dev/stack/run-record.ts';
import { Supervisor } from '../../../dev/stack/supervisor.ts';
import { isTemporalBroken } from '../../../dev/stack/temporal/server.ts';
import { eventually } from '../../support/dev/eventually.ts';

let directory: string;
let events: StackEvent[];
let supervisor: Supervisor;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-supervisor-'));
  events = [];
  supervisor = new Supervisor({
    logDirectory: join(directory, 'logs'),
    recordFile: join(directory, 'parts.json'),
    files: [join(directory, 'only-while-running')],
    onEvent: (event) => events.push(event),
  });
});

afterEach(async () => {
  await supervisor.stop();
  rmSync(directory, { recursive: true });
});

async function part(name: string, program = 'service.ts', overrides: Partial<PartSpec> = {}): Promise<PartSpec> {
  const port = await freePort();
  return {
    name,
    command: process.execPath,
    args: [join(import.meta.dirname, '../../support/dev/stand-ins', program)],
    env: { PORT: String(port) },
    address: `http://127.0.0.1:${port}`,
    ports: [port],
    health: httpHealth(`http://127.0.0.1:${port}/`),
    readyWithinMs: 10_000,
    stopStage: 1,
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
    ...overrides,
  };
}

function kinds(name: string): string[] {
  return events.flatMap((event) => ('part' in event && event.part === name ? [event.kind] : []));
}

function pidOf(name: string): number {
  const pid = supervisor.pidOf(name);
  if (pid === undefined) throw new Error(`${name} does not run`);
  return pid;
}

test('a part that is killed is started again at the same address, and it is said which part and why', async () => {
  const api = await part('api');
  await supervisor.start(api);
  const first = pidOf('api');
  process.kill(first, 'SIGKILL');
  await eventually(() => {
    expect(kinds('api')).toEqual(['starting', 'ready', 'died', 'restarted']);
  });
  expect(events).toContainEqual({ kind: 'died', part: 'api', how: 'was ended by SIGKILL' });
  expect(pidOf('api')).not.toBe(first);
  expect(await (await fetch(api.address)).text()).toBe('ready');
});

test('a part that is broken for good is ended and started again; one that merely does not answer is left alone', async () => {
  let looks = 0;
  let failure: Error | null = null;
  const health = () => (looks++, failure ? Promise.reject(failure) : Promise.resolve());
  await supervisor.start(await part('temporal', 'service.ts', { health, isBroken: isTemporalBroken }));
  const first = pidOf('temporal');
  [failure, looks] = [new Error('no answer within 2000 ms'), 0];
  await eventually(() => {
    expect(looks).toBeGreaterThan(3);
  });
  expect(pidOf('temporal')).toBe(first);
  failure = new Error('14 UNAVAILABLE: GetNamespace operation failed. Error interrupted (9)');
  await eventually(() => {
    expect(kinds('temporal')).toContain('died');
  });
  failure = null;
  await eventually(() => {
    expect(kinds('temporal')).toEqual(['starting', 'ready', 'died', 'restarted']);
  });
  const notes = events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
  expect(notes.join()).toContain('temporal is broken: 14 UNAVAILABLE');
  expect(pidOf('temporal')).not.toBe(first);
});

test('a part that cannot start is an error that names the part, its address, its log and what it said', async () => {
  const broken = await part('worker', 'broken.ts');
  await expect(supervisor.start(broken)).rejects.toThrow(
    new RegExp(
      `worker at ${broken.address} did not become ready: exited with status 3[^]*logs/worker.log[^]*tape is not rewound`,
    ),
  );
});

test('a part whose program does not exist is an error that names the program', async () => {
  const missing = await part('worker', 'service.ts', { command: '/nowhere/program' });
  await expect(supervisor.start(missing)).rejects.toThrow('/nowhere/program');
});

test('a part that runs but never becomes ready is given up at its deadline and not left running', async () => {
  const silent = await part('worker', 'service.ts', {
    health: () => Promise.reject(new Error('still asleep')),
    readyWithinMs: 500,
  });
  await expect(supervisor.start(silent)).rejects.toThrow('not healthy after 500 ms: still asleep');
  expect(supervisor.pidOf('worker')).toBeUndefined();
});

test('parts stop stage by stage', async () => {
  await supervisor.start(await part('database', 'service.ts', { stopStage: 9 }));
  await supervisor.start(await part('api'));
  await supervisor.stop();
  const stops = events.flatMap((event) => (event.kind === 'stopped' ? [`${event.part} ${event.how}`] : []));
  expect(stops).toEqual(['api graceful', 'database graceful']);
});

test('a part that ignores the stop signal is killed with its children', async () => {
  await supervisor.start(await part('api', 'stubborn.ts', { stopWithinMs: 300 }));
  const leader = identify(pidOf('api'));
  await supervisor.stop();
  expect(events).toContainEqual({ kind: 'stopped', part: 'api', how: 'killed' });
  expect(leader && groupIsAlive(leader)).toBe(false);
});

test('force ends a stop that waits for a stubborn part', async () => {
  await supervisor.start(await part('api', 'stubborn.ts', { stopWithinMs: 3_600_000 }));
  const stopping = supervisor.stop();
  supervisor.force();
  await stopping;
});

test('a process that is no part, such as a compiler, ends with the stack and is known to the watcher', async () => {
  const compiler = spawn('sleep', ['600'], { detached: true });
  const leader = identify(compiler.pid ?? 0);
  if (leader === undefined) throw new Error('sleep did not start');
  supervisor.track('compiler', leader);
  expect(readRunRecord(join(directory, 'parts.json'))?.parts).toMatchObject([{ name: 'compiler', pid: leader.pid }]);
  await supervisor.stop();
  expect(groupIsAlive(leader)).toBe(false);
});

test('a watcher that is killed is replaced, and the new one knows the parts', async () => {
  await supervisor.start(await part('api'));
  const first = supervisor.watcherPid;
  process.kill(first ?? 0, 'SIGKILL');
  await eventually(() => {
    const record = readRunRecord(join(directory, 'parts.json'));
    expect(record?.watcher?.pid).toBe(supervisor.watcherPid);
    expect(record?.watcher?.pid).not.toBe(first);
    expect(record?.parts.map(({ name }) => name)).toEqual(['api']);
  });
});

test('after the end no record is left and the watcher is gone', async () => {
  await supervisor.start(await part('api'));
  const watcher = supervisor.watcherPid ?? 0;
  await supervisor.stop();
  expect(readRunRecord(join(directory, 'parts.json'))).toBeUndefined();
  expect(() => process.kill(watcher, 0)).toThrow('ESRCH');
  expect(readFileSync(join(directory, 'logs/watcher.log'), 'utf8')).toBe('');
});
