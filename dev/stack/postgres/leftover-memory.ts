import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isSystemError } from '../process-table.ts';

const run = promisify(execFile);

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Whether the segment exists with the same key and nobody uses it: columns key, shmid and nattch of `/proc/sysvipc/shm`. */
function isAbandoned(key: string, id: string): boolean {
  const lines = readIfThere('/proc/sysvipc/shm')?.split('\n') ?? [];
  return lines.some((line) => {
    const fields = line.trim().split(/\s+/);
    return fields[0] === key && fields[1] === id && fields[6] === '0';
  });
}

/**
 * Removes the 56-byte System V segment that a killed PostgreSQL leaves in the kernel and that only its next start in the same
 * data directory would remove. Line 7 of `postmaster.pid` names it (key and id). Where there is none it does nothing.
 */
export async function removeLeftoverMemory(directory: string): Promise<void> {
  const line = readIfThere(join(directory, 'data/postmaster.pid'))?.split('\n')[6];
  const [key, id] = line?.trim().split(/\s+/) ?? [];
  if (key !== undefined && id !== undefined && isAbandoned(key, id)) await run('ipcrm', ['-m', id]);
}
