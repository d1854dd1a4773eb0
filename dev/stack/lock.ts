import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import Value from 'typebox/value';
import { identify, isAlive, isSystemError, type ProcessIdentity } from './process-table.ts';

const OwnerSchema = Type.Object({ pid: Type.Integer(), startTime: Type.String() });

/** Process id and start time, which reveals a lock left by `kill -9`. */
export type Lock = { readonly path: string; readonly release: () => void };

export type LockAttempt =
  | { readonly lock: Lock; readonly heldBy?: undefined }
  | { readonly lock?: undefined; readonly heldBy: ProcessIdentity };

export function ownerOf(path: string): ProcessIdentity | undefined {
  try {
    return Value.Parse(OwnerSchema, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw new Error(`${path} is not a lock file of ours; remove it if no other stack runs here`, { cause: error });
  }
}

/** A complete file: no reader sees a partial lock. False if there is one. */
function place(path: string, owner: ProcessIdentity): boolean {
  const draft = `${path}.${owner.pid}`;
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Puts it back if another process replaced it meanwhile. */
function clearStale(path: string, dead: ProcessIdentity): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return;
    throw error;
  }
  const moved = ownerOf(aside);
  if (moved !== undefined && (moved.pid !== dead.pid || moved.startTime !== dead.startTime)) linkSync(aside, path);
  rmSync(aside, { force: true });
}

/** From one try to the next, ms. */
const TRY_EVERY_MS = 250;

export interface LockWait {
  readonly signal?: AbortSignal | undefined;
  /** Called with the owner after each failed try. */
  readonly onHeld?: (owner: ProcessIdentity) => void;
}

/**
 * Waits until it has the lock.
 *
 * @throws as `tryLock`; also when the signal aborts
 */
export async function waitForLock(path: string, { signal, onHeld }: LockWait = {}): Promise<Lock> {
  for (;;) {
    const { lock, heldBy } = tryLock(path);
    if (lock !== undefined) return lock;
    onHeld?.(heldBy);
    await sleep(TRY_EVERY_MS, undefined, { signal });
  }
}

/**
 * Takes the lock, also from a dead owner.
 *
 * @throws for no lock
 */
export function tryLock(path: string): LockAttempt {
  const me = identify(process.pid);
  if (me === undefined) throw new Error(`process ${process.pid} does not find itself among the running processes`);
  for (;;) {
    if (place(path, me)) {
      return {
        lock: {
          path,
          release: () => {
            rmSync(path, { force: true });
          },
        },
      };
    }
    const owner = ownerOf(path);
    if (owner !== undefined && isAlive(owner)) return { heldBy: owner };
    if (owner !== undefined) clearStale(path, owner);
  }
}
