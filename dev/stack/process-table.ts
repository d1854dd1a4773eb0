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

/** Sends `signal` to a process group; `false` when the group has no process left. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (isSystemError(error, 'ESRCH')) return false;
    throw error;
  }
}

/** Whether a process group has a live member. Zombies nobody reaps (as under a container's bare first process) do not count. */
export function groupIsAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    const fields = linuxStat(Number(entry));
    return fields?.group === group && !'ZX'.includes(fields.state);
  });
}

/** Waits until the group is gone; `false` if it still lives after `timeoutMs`. */
export async function groupGone(group: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (groupIsAlive(group)) {
    if (Date.now() >= deadline) return false;
    await sleep(25);
  }
  return true;
}

/**
 * Ends a process group: `signal` first, SIGKILL after `graceMs`.
 * @throws when a member survives SIGKILL for five seconds.
 */
export async function endGroup(group: number, signal: NodeJS.Signals, graceMs: number): Promise<'graceful' | 'killed'> {
  signalGroup(group, signal);
  if (await groupGone(group, graceMs)) return 'graceful';
  signalGroup(group, 'SIGKILL');
  if (await groupGone(group, 5_000)) return 'killed';
  throw new Error(`process group ${group} survived SIGKILL`);
}
