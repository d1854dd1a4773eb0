import { open } from 'node:fs/promises';

/** Runs `write` and flushes the file; for a folder, flushes its names. */
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
