import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { StackLayout } from '../../../dev/stack/layout.ts';
import { isFree, readPorts } from '../../../dev/stack/ports.ts';

/** Command lines of live processes that mention the stack's folder, as those of every part of ours do. */
export function processesOf(layout: StackLayout): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(layout.data) && !/^\s*\d+\s+Z/.test(line));
}

/** Which of the stack's ports are in use, by name; those that a process of another folder has taken since are not its own. */
async function portsInUse(layout: StackLayout): Promise<string[]> {
  const checks = Object.entries(readPorts(layout.portsFile) ?? {}).map(async ([name, port]) =>
    (await isFree(port)) || isOfAnother(port, layout) ? [] : [name],
  );
  return (await Promise.all(checks)).flat();
}

/** True if every process that listens on the port is known, and none of them has to do with the folder. */
function isOfAnother(port: number, layout: StackLayout): boolean {
  const listeners = listenersOn(port);
  return listeners.length > 0 && !listeners.some((pid) => isOf(pid, layout));
}

/** Process ids; none where the system does not tell. */
function listenersOn(port: number): string[] {
  if (!existsSync('/proc/net/tcp')) return [];
  const LISTEN = '0A';
  const sockets = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => state === LISTEN && Number.parseInt(local.split(':')[1] ?? '', 16) === port)
    .map((fields) => `socket:[${fields[9]}]`);
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.filter((pid) => openFilesOf(pid).some((file) => sockets.includes(file)));
}

function openFilesOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`));
  } catch {
    return [];
  }
}

/** A process that was given the folder, or works in it. */
function isOf(pid: string, { data }: StackLayout): boolean {
  const texts = ['cmdline', 'environ'].map((name) => textOf(`/proc/${pid}/${name}`));
  return [...texts, linkOf(`/proc/${pid}/cwd`)].some((text) => text.includes(data));
}

/** Empty once the process is gone. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The System V shared memory segment of the running PostgreSQL (line 7 of `postmaster.pid`: key and id). */
export function postgresSegment(layout: StackLayout): string {
  const line = readFileSync(join(layout.postgres, 'data/postmaster.pid'), 'utf8').split('\n')[6] ?? '';
  return line.trim().split(/\s+/)[1] ?? '';
}

/** Whether the kernel still has the segment. */
export function segmentExists(id: string): boolean {
  if (!existsSync('/proc/sysvipc/shm')) return false;
  const lines = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n');
  return lines.some((line) => line.trim().split(/\s+/)[1] === id);
}

/** Everything that should be gone after the end of a stack, named; empty when nothing is left. */
export async function leftBehind(layout: StackLayout, segment: string): Promise<string[]> {
  const files = [layout.stackFile, layout.lockFile, layout.recordFile, layout.temporary].filter(existsSync);
  const memory = segmentExists(segment) ? [`shared memory ${segment}`] : [];
  return [...processesOf(layout), ...(await portsInUse(layout)), ...files, ...memory];
}
