import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import type { StackLayout } from '../../../dev/stack/layout.ts';
import { readRunRecord } from '../../../dev/stack/run-record.ts';
import { eventually } from '../../support/dev/eventually.ts';
import { leftBehind, postgresSegment } from '../../support/dev/left-behind.ts';
import { STACK_ENV, stackFolder, startTestStack } from '../../support/dev/stand-in-stack.ts';

const RUN_STACK = join(import.meta.dirname, '../../support/dev/stand-ins/run-stack.ts');

// Whole stacks are started, some of them twice; on two busy cores that takes its time.
function spawnStack(layout: StackLayout): ChildProcess {
  const child = spawn(process.execPath, [RUN_STACK, layout.data], {
    env: STACK_ENV,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGTERM');
  });
  return child;
}

async function runStack(): Promise<{ layout: StackLayout; parent: ChildProcess; segment: string }> {
  const layout = stackFolder();
  const parent = spawnStack(layout);
  if (parent.stdout === null) throw new Error('no output to read');
  await once(createInterface({ input: parent.stdout }), 'line');
  return { layout, parent, segment: postgresSegment(layout) };
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the stack with status 0 and nothing is left', async (signal) => {
  const { layout, parent, segment } = await runStack();
  parent.kill(signal);
  expect(await once(parent, 'exit')).toEqual([0, null]);
  expect(await leftBehind(layout, segment)).toEqual([]);
});

test('SIGINT during the start ends what has been started', async () => {
  const layout = stackFolder();
  const parent = spawnStack(layout);
  await eventually(() => {
    expect(readRunRecord(layout.recordFile)?.parts.length).toBeGreaterThan(0);
  });
  parent.kill('SIGINT');
  expect(await once(parent, 'exit')).toEqual([1, null]);
  expect(await leftBehind(layout, '')).toEqual([]);
});

test('kill -9 of the parent ends every part within seconds and nothing is left', async () => {
  const { layout, parent, segment } = await runStack();
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await eventually(async () => {
    expect(await leftBehind(layout, segment)).toEqual([]);
  });
});

test('a start right after kill -9 of the parent waits for the watcher and then works', async () => {
  const { layout, parent } = await runStack();
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const { stack } = await startTestStack(layout);
  expect((await fetch(stack.siteUrl)).ok).toBe(true);
  expect(existsSync(layout.lockFile)).toBe(true);
  const segment = postgresSegment(layout);
  await stack.stop();
  expect(await leftBehind(layout, segment)).toEqual([]);
});

test('a start after kill -9 of parent, watcher and PostgreSQL ends the parts that were left and works', async () => {
  const { layout, parent, segment } = await runStack();
  const record = readRunRecord(layout.recordFile);
  const database = record?.parts.find(({ name }) => name === 'postgres');
  for (const pid of [record?.watcher?.pid, parent.pid, database?.pid]) process.kill(pid ?? 0, 'SIGKILL');
  await once(parent, 'exit');
  expect(await leftBehind(layout, segment)).not.toEqual([]);
  const { stack } = await startTestStack(layout);
  for (const { pid, name } of record?.parts ?? []) expect(() => process.kill(pid, 0), name).toThrow('ESRCH');
  const next = postgresSegment(layout);
  await stack.stop();
  expect(await leftBehind(layout, next)).toEqual([]);
  expect(await leftBehind(layout, segment)).toEqual([]);
});
