import { readdirSync, readFileSync } from 'node:fs';
import { isSystemError } from '../../dev/stack/process-table.ts';

const TICKS_PER_SECOND = 100;

/** With ended children: fields 5, 14 to 17 of `/proc/PID/stat`. Linux only. */
export function cpuSecondsOf(group: number): number {
  const members = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  const ticks = members.map((pid) => fieldsOf(pid)).filter((fields) => Number(fields[2]) === group);
  return ticks.reduce((sum, fields) => sum + ticksIn(fields), 0) / TICKS_PER_SECOND;
}

function ticksIn(fields: readonly string[]): number {
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

function fieldsOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ESRCH')) return [];
    throw error;
  }
}
