import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownerOf, tryLock } from '../../../dev/stack/lock.ts';
import { identify } from '../../../dev/stack/process-table.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-lock-'));
  path = join(directory, 'lock.json');
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

test('a lock is held until it is released', () => {
  const { lock } = tryLock(path);
  expect(tryLock(path).heldBy).toEqual(identify(process.pid));
  lock?.release();
  expect(tryLock(path).lock).toBeDefined();
});

test('a lock whose owner has ended is taken over', async () => {
  const child = spawn('sleep', ['60']);
  const owner = identify(child.pid ?? 0);
  writeFileSync(path, JSON.stringify(owner));
  expect(tryLock(path).heldBy).toEqual(owner);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(tryLock(path).lock).toBeDefined();
  expect(ownerOf(path)).toEqual(identify(process.pid));
  expect(readdirSync(directory)).toEqual(['lock.json']);
});

test('a lock of an earlier process with the number of a running one is taken over', () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, startTime: 'long ago' }));
  expect(tryLock(path).lock).toBeDefined();
});

test('a file that is no lock is not removed', () => {
  writeFileSync(path, 'my notes');
  expect(() => tryLock(path)).toThrow('is not a lock file of ours');
});
