// One set-up at a time in a checkout: a file that names the processes at work.
import { appendFileSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** No set-up takes as long, so that a process that got the number of a dead one does not hold the lock for ever. */
const STALE_AFTER_MS = 15 * 60_000;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Takes the lock, or answers false where somebody has it. A link appears with its content, so nobody ever reads an empty file. */
function tryTake(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${process.pid}\n`);
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own);
  }
}

/** `absent`, `dead`, or the number of a process that holds the lock. */
function holderOf(file) {
  try {
    const pids = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
    const isFresh = Date.now() - statSync(file).mtimeMs < STALE_AFTER_MS;
    return (isFresh && pids.find(isAlive)) || 'dead';
  } catch (error) {
    if (error.code === 'ENOENT') return 'absent';
    throw error;
  }
}

/** Removes a dead holder's file under a second lock, so that of two who see it dead none removes what the other has just taken. */
function bury(file) {
  const guard = `${file}.bury`;
  if (tryTake(guard)) {
    if (holderOf(file) === 'dead') rmSync(file);
    rmSync(guard);
  } else if (holderOf(guard) === 'dead') rmSync(guard, { force: true });
}

/** Waits until this process holds the lock; `onWait` is told once whom it waits for. */
export async function takeLock(file, onWait) {
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  while (!tryTake(file)) {
    const holder = holderOf(file);
    if (holder === 'dead') bury(file);
    else if (holder !== 'absent') {
      if (!told) onWait(holder);
      told = true;
      await sleep(200);
    }
  }
}

/** A child may work on where its parent was killed: then it is who holds the lock. */
export function holdFor(file, pid) {
  appendFileSync(file, `${pid}\n`);
}

export function releaseLock(file) {
  rmSync(file, { force: true });
}
