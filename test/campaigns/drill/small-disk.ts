import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealStack } from '../chaos/processes/real-stack.ts';

/** Room on a small disk beside the files that are moved to it, kB. */
const ROOM_KB = 40_000;

const FILLER = 'filler';

/** Whether this user may mount file systems: only root may. */
export const MAY_MOUNT = canMount();

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'slipway-try', '/mnt'], {
      stdio: 'pipe',
    });
    return true;
  } catch {
    return false; // The tests say that they are skipped.
  }
}

function mount(directory: string, kilobytes: number): void {
  const options = `size=${kilobytes}k,mode=755`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'slipway-small', directory], { stdio: 'pipe' });
}

/** Writes a file until the disk has no room. */
function fill(directory: string): void {
  try {
    writeFileSync(join(directory, FILLER), Buffer.alloc(2 * ROOM_KB * 1_024, 1));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    return;
  }
  throw new Error(`${directory} still has room`);
}

/** A full disk of 64 kB in the place of an empty directory; the result removes it. */
export function fullDiskAt(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  mount(directory, 64);
  fill(directory);
  return () => void execFileSync('umount', [directory]);
}

/** Moves the files of a part to a disk of their own and fills it; the result makes room and moves them back. */
export async function fullDiskUnder(stack: RealStack, part: string, directory: string): Promise<() => Promise<void>> {
  const spec = stack.stack.specOf(part);
  if (spec === undefined) throw new Error(`there is no part ${part}`);
  const before = `${directory}-before`;
  await stack.stack.end(part);
  renameSync(directory, before);
  mkdirSync(directory);
  const [used] = execFileSync('du', ['-sk', before], { encoding: 'utf8' }).split('\t');
  mount(directory, Number(used) + ROOM_KB);
  execFileSync('cp', ['-a', `${before}/.`, directory]);
  await stack.stack.start(spec);
  fill(directory);
  return async () => {
    rmSync(join(directory, FILLER));
    await stack.stack.end(part);
    rmSync(before, { recursive: true });
    execFileSync('cp', ['-a', directory, before]);
    execFileSync('umount', [directory]);
    rmSync(directory, { recursive: true });
    renameSync(before, directory);
    await stack.stack.start(spec);
  };
}
