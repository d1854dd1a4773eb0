import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackLayout } from '../../../dev/stack/layout.ts';
import { isFree, readPorts } from '../../../dev/stack/ports.ts';

/** Command lines of live processes that mention the stack's folder, as those of every part of ours do. */
export function processesOf(layout: StackLayout): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(layout.data) && !/^\s*\d+\s+Z/.test(line));
}

/** Which of the stack's ports are in use, by name. */
export async function portsInUse(layout: StackLayout): Promise<string[]> {
  const checks = Object.entries(readPorts(layout.portsFile) ?? {}).map(async ([name, port]) =>
    (await isFree(port)) ? [] : [name],
  );
  return (await Promise.all(checks)).flat();
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
