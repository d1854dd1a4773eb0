import { open } from 'node:fs/promises';

/** Opens a file or folder, and has what was done with it, for a folder the names in it, on the disk before it goes on. */
export async function flushed(
  path: string,
  flags: string,
  write: (file: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags);
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
