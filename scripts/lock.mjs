// One set-up at a time in a checkout.
import { appendFileSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that got a dead one's number does not hold the lock for ever. */
const STALE_AFTER_MS = 15 * 60_000;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** False where it is taken. A link appears with its content. */
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

/** `absent`, `dead`, or a process number. */
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

/** Under a second lock: of two removers none takes the other's new lock. */
function bury(file) {
  const guard = `${file}.bury`;
  if (tryTake(guard)) {
    if (holderOf(file) === 'dead') rmSync(file);
    rmSync(guard);
  } else if (holderOf(guard) === 'dead') rmSync(guard, { force: true });
}

/** `onWait` once, with the holder. */
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

/** A child may work on after its parent was killed: then it holds the lock. */
export function holdFor(file, pid) {
  appendFileSync(file, `${pid}\n`);
}

export function releaseLock(file) {
  rmSync(file, { force: true });
}
