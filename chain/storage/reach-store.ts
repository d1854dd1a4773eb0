import { randomBytes } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageChoice } from './create-store.ts';

/** A file system's block: a full disk refuses it. */
const PROBE = Buffer.alloc(4_096, 'slipway');

/**
 * Stores nothing permanent: the directory takes and deletes a file; bundler and gateway respond. Rejects with the
 * reason, such as ENOSPC.
 */
export async function assertStoreReached(choice: StorageChoice, timeoutMs: number): Promise<void> {
  if (choice.kind === 'files') return takeProbe(choice.directory);
  await Promise.all([choice.bundlerUrl, choice.gatewayUrl].map((url) => assertAnswers(url, timeoutMs)));
}

async function takeProbe(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, `.${randomBytes(8).toString('hex')}.probe`);
  try {
    await writeFile(path, PROBE, { flag: 'wx', flush: true });
  } finally {
    await rm(path, { force: true });
  }
}

async function assertAnswers(url: string, timeoutMs: number): Promise<void> {
  const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  if (response.status >= 500) throw new Error(`${new URL(url).host} answered HTTP ${response.status}`);
}

/** Share of the disk that this user can fill, 0 to 1. Rejects without the path. */
export async function freeShareOf(path: string): Promise<number> {
  const { bavail, blocks } = await statfs(path);
  return blocks === 0 ? 1 : bavail / blocks;
}
