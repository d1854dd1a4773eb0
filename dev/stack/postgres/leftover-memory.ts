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

/** True if the segment has the key and no user (key, shmid, nattch of `/proc/sysvipc/shm`). */
function isAbandoned(key: string, id: string): boolean {
  const lines = readIfThere('/proc/sysvipc/shm')?.split('\n') ?? [];
  return lines.some((line) => {
    const fields = line.trim().split(/\s+/);
    return fields[0] === key && fields[1] === id && fields[6] === '0';
  });
}

/**
 * A killed PostgreSQL's 56-byte segment, which only its next start there would remove. Line 7 of `postmaster.pid` has
 * key and id.
 */
export async function removeLeftoverMemory(directory: string): Promise<void> {
  const line = readIfThere(join(directory, 'data/postmaster.pid'))?.split('\n')[6];
  const [key, id] = line?.trim().split(/\s+/) ?? [];
  if (key !== undefined && id !== undefined && isAbandoned(key, id)) await run('ipcrm', ['-m', id]);
}
