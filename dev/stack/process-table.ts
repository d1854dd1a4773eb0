import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The start time tells a later process with the same id apart. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Ticks since boot on Linux (field 22 of `/proc/PID/stat`), a date elsewhere. */
  readonly startTime: string;
};

type StatFields = { readonly state: string; readonly group: number; readonly startTime: string };

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}

/** @param codes as `ENOENT` */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

/** Fields 3, 5, 22; the command name before may contain spaces and brackets. */
function linuxStat(pid: number): StatFields | undefined {
  const text = readIfThere(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', group: Number(fields[2]), startTime: fields[19] ?? '' };
}

function otherStat(pid: number): StatFields | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,pgid=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [state = '', group = '', ...start] = line.split(/\s+/);
    return { state: state.slice(0, 1), group: Number(group), startTime: start.join(' ') };
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 1) return undefined;
    throw error;
  }
}

const stat = process.platform === 'linux' ? linuxStat : otherStat;

export function identify(pid: number): ProcessIdentity | undefined {
  const fields = stat(pid);
  return fields === undefined || 'ZX'.includes(fields.state) ? undefined : { pid, startTime: fields.startTime };
}

/** True if the process still runs: another start time is another process. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startTime === identity.startTime;
}

/**
 * The leader's group has a live member. Its id is not reused while it has: if another process has the id, the group is
 * gone. Unreaped zombies do not count.
 */
export function groupIsAlive(leader: ProcessIdentity): boolean {
  const holder = identify(leader.pid);
  if (holder !== undefined) return holder.startTime === leader.startTime;
  if (!hasMembers(leader.pid)) return false;
  if (process.platform !== 'linux') return true;
  return groupMembers(leader.pid).length > 0;
}

export function groupMembers(group: number): number[] {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.map(Number).filter((pid) => {
    const fields = linuxStat(pid);
    return fields?.group === group && !'ZX'.includes(fields.state);
  });
}

function hasMembers(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    if (isSystemError(error, 'ESRCH')) return false;
    throw error;
  }
}

export function signalGroup(leader: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!groupIsAlive(leader)) return;
  try {
    process.kill(-leader.pid, signal);
  } catch (error) {
    if (!isSystemError(error, 'ESRCH')) throw error;
  }
}

/** Returns false if it lives after `timeoutMs`. */
async function groupGone(leader: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (groupIsAlive(leader)) {
    if (Date.now() >= deadline) return false;
    await sleep(25);
  }
  return true;
}

/**
 * Sends `signal`, then SIGKILL after `graceMs`.
 *
 * @throws if a member survives that for five seconds
 */
export async function endGroup(
  leader: ProcessIdentity,
  signal: NodeJS.Signals,
  graceMs: number,
): Promise<'graceful' | 'killed'> {
  signalGroup(leader, signal);
  if (await groupGone(leader, graceMs)) return 'graceful';
  signalGroup(leader, 'SIGKILL');
  if (await groupGone(leader, 5_000)) return 'killed';
  throw new Error(`process group ${leader.pid} survived SIGKILL`);
}
