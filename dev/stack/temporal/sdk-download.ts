import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { identify, isSystemError, signalGroup } from '../process-table.ts';
import type { SourceContext } from './binary-source.ts';

const DOWNLOAD_MAIN = fileURLToPath(new URL('./sdk-download-main.ts', import.meta.url));
const KEPT_OUTPUT = 2_000;

export type SdkDownloadOptions = {
  /** Without a new byte. */
  readonly stallMs: number;
  readonly program: string;
};

function bytesIn(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + sizeOf(join(directory, name)), 0);
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return 0;
    throw error;
  }
}

async function stall(directory: string, stallMs: number, signal: AbortSignal): Promise<string> {
  let [bytes, since] = [0, Date.now()];
  while (!signal.aborted && Date.now() - since < stallMs) {
    await sleep(200);
    const now = bytesIn(directory);
    if (now !== bytes) [bytes, since] = [now, Date.now()];
  }
  return `no byte arrived for ${stallMs} ms`;
}

/** A process: the SDK cannot abort a download. Resolves with how it ended. */
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

/** @throws if it fails; without internet after ten seconds at most */
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
