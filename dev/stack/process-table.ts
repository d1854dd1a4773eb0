import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One process, told apart from a later one with the same number by its start time. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Opaque: clock ticks since boot on Linux (field 22 of `/proc/PID/stat`, proc(5)), a date elsewhere. */
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

/** Whether `error` is a system error with one of `codes`, for instance `ENOENT`. */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

/** Fields 3, 5 and 22 of `/proc/PID/stat`; the command name before them may hold spaces and brackets. */
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

/** The identity of a running process; `undefined` once it has ended (a zombie has ended). */
export function identify(pid: number): ProcessIdentity | undefined {
  const fields = stat(pid);
  return fields === undefined || 'ZX'.includes(fields.state) ? undefined : { pid, startTime: fields.startTime };
}

/** Whether exactly this process still runs: the same number with another start time is another process. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startTime === identity.startTime;
}

/**
 * Whether the group that this process led has a live member. Its number is not given to another process while it has, so if
 * another one bears it now, the group is gone. Zombies nobody reaps (as under a container's bare first process) do not count.
 */
export function groupIsAlive(leader: ProcessIdentity): boolean {
  const holder = identify(leader.pid);
  if (holder !== undefined) return holder.startTime === leader.startTime;
  if (!hasMembers(leader.pid)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    const fields = linuxStat(Number(entry));
    return fields?.group === leader.pid && !'ZX'.includes(fields.state);
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

/** Sends `signal` to the group that this process led, if it has a live member. */
export function signalGroup(leader: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!groupIsAlive(leader)) return;
  try {
    process.kill(-leader.pid, signal);
  } catch (error) {
    if (!isSystemError(error, 'ESRCH')) throw error;
  }
}

/** Waits until the group is gone; `false` if it still lives after `timeoutMs`. */
async function groupGone(leader: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (groupIsAlive(leader)) {
    if (Date.now() >= deadline) return false;
    await sleep(25);
  }
  return true;
}

/**
 * Ends a process group: `signal` first, SIGKILL after `graceMs`.
 * @throws when a member survives SIGKILL for five seconds.
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
