import { mkdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endParts } from './end-parts.ts';
import { StackRunsError } from './errors.ts';
import type { StackLayout } from './layout.ts';
import { ownerOf, tryLock, type Lock } from './lock.ts';
import type { OnEvent } from './part.ts';
import { isAlive, type ProcessIdentity } from './process-table.ts';
import { readRunRecord } from './run-record.ts';

/** A killed stack's watcher needs some seconds a part. */
const WATCHER_NEEDS_MS = 30_000;

function refuse(layout: StackLayout, owner: ProcessIdentity): never {
  throw new StackRunsError(
    `a stack runs already in ${layout.data} (process ${owner.pid}); its addresses are in ${layout.stackFile}. Stop it with Ctrl-C there, or: kill ${owner.pid}`,
  );
}

async function waitForEarlierWatcher(layout: StackLayout, onEvent: OnEvent): Promise<void> {
  const watcher = readRunRecord(layout.recordFile)?.watcher;
  if (watcher === undefined || !isAlive(watcher)) return;
  onEvent({ kind: 'note', text: 'an earlier run was killed; its watcher is still ending its processes …' });
  const deadline = Date.now() + WATCHER_NEEDS_MS;
  while (isAlive(watcher)) {
    if (Date.now() > deadline) process.kill(watcher.pid, 'SIGKILL');
    await sleep(50);
  }
}

async function endLeftovers(layout: StackLayout, onEvent: OnEvent): Promise<void> {
  const record = readRunRecord(layout.recordFile);
  if (record === undefined) return;
  onEvent({ kind: 'note', text: 'an earlier run was killed together with its watcher; cleaning up after it …' });
  await endParts(record.parts, onEvent);
  for (const file of record.files) if (file !== layout.lockFile) rmSync(file, { recursive: true, force: true });
}

/**
 * Takes the lock and removes the remains of an earlier run.
 *
 * @throws StackRunsError while another stack runs
 */
export async function claimRun(layout: StackLayout, onEvent: OnEvent): Promise<Lock> {
  mkdirSync(layout.data, { recursive: true });
  mkdirSync(layout.run, { recursive: true, mode: 0o700 });
  const owner = ownerOf(layout.lockFile);
  if (owner !== undefined && isAlive(owner)) refuse(layout, owner);
  await waitForEarlierWatcher(layout, onEvent);
  const { lock, heldBy } = tryLock(layout.lockFile);
  if (lock === undefined) refuse(layout, heldBy);
  try {
    await endLeftovers(layout, onEvent);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}
