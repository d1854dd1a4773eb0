import { readdirSync, readFileSync } from 'node:fs';
import { isSystemError } from '../../dev/stack/process-table.ts';

/** Clock ticks a second of `/proc/PID/stat`: USER_HZ is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Seconds of CPU that a process group has taken: its members, and what they had of children that have ended. Fields 5 and 14 to 17
 * of `/proc/PID/stat` (proc(5)), so on Linux alone.
 */
export function cpuSecondsOf(group: number): number {
  const members = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  const ticks = members.map((pid) => fieldsOf(pid)).filter((fields) => Number(fields[2]) === group);
  return ticks.reduce((sum, fields) => sum + ticksIn(fields), 0) / TICKS_PER_SECOND;
}

function ticksIn(fields: readonly string[]): number {
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

/** The fields from the third on; none of a process that has just ended. */
function fieldsOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ESRCH')) return [];
    throw error;
  }
}
