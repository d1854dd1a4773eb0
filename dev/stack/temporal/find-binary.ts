import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { errorTextWithCauses } from '../../../domain/error-text.ts';
import { type Lock, waitForLock } from '../lock.ts';
import { isSystemError, type ProcessIdentity } from '../process-table.ts';
import type { BinarySource, SourceContext } from './binary-source.ts';
import { downloadWithSdk } from './sdk-download.ts';
import { buildWithGo } from './go-build.ts';
import { TEMPORAL_CLI_VERSION } from './version.ts';

export type FindBinaryOptions = {
  readonly cacheDirectory: string;
  readonly path: string;
  readonly sources?: readonly BinarySource[];
  readonly signal?: AbortSignal;
} & SourceContext;

const WAIT_REPORT_MS = 10_000;

const SOURCES: readonly BinarySource[] = [
  { name: 'download by the Temporal SDK', provide: downloadWithSdk },
  { name: 'go install', provide: buildWithGo },
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'EACCES', 'ENOTDIR')) return false;
    throw error;
  }
}

export function findOnPath(path: string): string | undefined {
  const candidates = path.split(delimiter).filter((directory) => directory !== '');
  return candidates.map((directory) => join(directory, 'temporal')).find(isExecutable);
}

/** Locks the cache, because another process may be building the binary. */
function lockCache(lockFile: string, { onProgress, signal }: FindBinaryOptions): Promise<Lock> {
  const began = Date.now();
  let reported = began;
  const onHeld = ({ pid }: ProcessIdentity) => {
    if (Date.now() - reported < WAIT_REPORT_MS) return;
    reported = Date.now();
    const seconds = Math.round((reported - began) / 1000);
    onProgress(`waiting for process ${pid}, which prepares the Temporal server (${seconds} s) …`);
  };
  return waitForLock(lockFile, { signal, onHeld });
}

async function provide(target: string, sources: readonly BinarySource[], context: SourceContext): Promise<void> {
  const failures: string[] = [];
  for (const source of sources) {
    try {
      await source.provide(target, context);
      return;
    } catch (error) {
      failures.push(`${source.name}: ${errorTextWithCauses(error)}`);
    }
  }
  throw new Error(`no Temporal server to be had:\n  ${failures.join('\n  ')}`);
}

/**
 * Looks in PATH, cache, sources.
 *
 * @throws with each failure
 */
export async function findTemporalBinary(options: FindBinaryOptions): Promise<string> {
  const onPath = findOnPath(options.path);
  if (onPath !== undefined) return onPath;
  const target = join(options.cacheDirectory, `temporal-v${TEMPORAL_CLI_VERSION}`);
  if (existsSync(target)) return target;
  mkdirSync(options.cacheDirectory, { recursive: true });
  const lock = await lockCache(`${target}.lock`, options);
  try {
    if (!existsSync(target)) await provide(target, options.sources ?? SOURCES, options);
    return target;
  } finally {
    lock.release();
  }
}
