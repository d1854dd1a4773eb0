import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { identify, isSystemError, signalGroup } from '../process-table.ts';
import type { SourceContext } from './binary-source.ts';

const DOWNLOAD_MAIN = fileURLToPath(new URL('./sdk-download-main.ts', import.meta.url));
const KEPT_OUTPUT = 2_000;

/** When the download counts as hopeless, and how to run it. */
export type SdkDownloadOptions = {
  /** No new byte for this long: give up. */
  readonly stallMs: number;
  readonly program: string;
};

function bytesIn(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + sizeOf(join(directory, name)), 0);
}

/** Zero for a file that was renamed since it was listed. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return 0;
    throw error;
  }
}

/** Resolves with the reason once no byte came for `stallMs`, or when `signal` fires. */
async function stall(directory: string, stallMs: number, signal: AbortSignal): Promise<string> {
  let [bytes, since] = [0, Date.now()];
  while (!signal.aborted && Date.now() - since < stallMs) {
    await sleep(200);
    const now = bytesIn(directory);
    if (now !== bytes) [bytes, since] = [now, Date.now()];
  }
  return `no byte arrived for ${stallMs} ms`;
}

/** Runs the download as a process, because the SDK offers no way to end one. Resolves with how it ended. */
async function runDownload(
  directory: string,
  { stallMs, program }: SdkDownloadOptions,
  track: SourceContext['track'],
): Promise<string> {
  const child = spawn(process.execPath, [program, directory], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  const untrack = identity === undefined ? () => undefined : track('temporal-download', identity);
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-KEPT_OUTPUT);
  });
  const ended = new AbortController();
  const exit = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', (code) => {
      resolve(code === 0 ? 'done' : output.trim() || `status ${code ?? 'unknown'}`);
    });
  });
  const outcome = await Promise.race([exit, stall(directory, stallMs, ended.signal)]);
  ended.abort();
  if (identity !== undefined) signalGroup(identity, 'SIGKILL');
  await exit;
  untrack();
  return outcome;
}

/**
 * Lets the Temporal SDK download the binary it was released with, and moves it to `target`.
 * @throws when it cannot, for instance without a way to the internet; that is known after ten seconds at most.
 */
export async function downloadWithSdk(
  target: string,
  { onProgress, track }: SourceContext,
  options: SdkDownloadOptions = { stallMs: 10_000, program: DOWNLOAD_MAIN },
): Promise<void> {
  const directory = `${target}.download`;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  onProgress('trying to download the Temporal server …');
  try {
    const outcome = await runDownload(directory, options, track);
    const [file] = readdirSync(directory);
    if (outcome !== 'done' || file === undefined) throw new Error(outcome);
    chmodSync(join(directory, file), 0o755);
    renameSync(join(directory, file), target);
    onProgress(`the Temporal server is downloaded and kept in ${target}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
