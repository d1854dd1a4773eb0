import { readFileSync } from 'node:fs';

/** 4 kB pages, USER_HZ 100, as on any usual Linux. */
const PAGE_BYTES = 4_096;
const TICK_MS = 10;

/** Reads proc(5), `statm`; 0 without /proc or process. */
export function residentBytes(pid: number | undefined): number {
  return Number(read(pid, 'statm').split(' ')[1] ?? 0) * PAGE_BYTES;
}

/** Sums all threads (proc(5), `stat`, fields 14 and 15); 0 if unreadable. */
export function cpuMs(pid: number | undefined): number {
  const text = read(pid, 'stat');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}

function read(pid: number | undefined, file: string): string {
  if (pid === undefined || process.platform !== 'linux') return '';
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return '';
    throw error;
  }
}
