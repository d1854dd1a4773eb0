import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { identify, isSystemError } from '../process-table.ts';
import type { SourceContext } from './binary-source.ts';
import { TEMPORAL_CLI_VERSION } from './version.ts';

const REPORT_EVERY_MS = 10_000;
const KEPT_OUTPUT = 4_000;

const NO_GO =
  'the Go toolchain is not installed ("go" is not on PATH). Install Go 1.24 or newer, or put the Temporal CLI ' +
  `(v${TEMPORAL_CLI_VERSION}) on PATH as "temporal", or set TEMPORAL_ADDRESS to a running server.`;

/** Caches and counters under `workspace`; `go env -w` still applies. */
function goEnvironment(workspace: string): NodeJS.ProcessEnv {
  const userConfig = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return {
    GOENV: join(userConfig, 'go/env'),
    ...process.env,
    XDG_CONFIG_HOME: join(workspace, 'config'),
    GOBIN: join(workspace, 'bin'),
    GOCACHE: join(workspace, 'build-cache'),
    GOMODCACHE: join(workspace, 'modules'),
    GOTMPDIR: workspace,
    // No debug data, rarer garbage collection: a fifth less CPU.
    GOFLAGS: '-modcacherw -trimpath -ldflags=-s -gcflags=all=-dwarf=false',
    GOGC: '400',
    GOMEMLIMIT: '1GiB',
    CGO_ENABLED: '0',
  };
}

/** @throws with the end of its output */
async function goInstall(workspace: string, { track }: SourceContext): Promise<void> {
  const child = spawn('go', ['install', `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI_VERSION}`], {
    cwd: workspace,
    env: goEnvironment(workspace),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT_OUTPUT);
    });
  }
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  const untrack = identity === undefined ? () => undefined : track('go', identity);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (code !== 0)
      throw new Error(`go install ended with ${signal ?? `status ${code ?? 'unknown'}`}: ${output.trim()}`);
  } catch (error) {
    throw isSystemError(error, 'ENOENT') ? new Error(NO_GO, { cause: error }) : error;
  } finally {
    untrack();
  }
}

/**
 * Builds in 3 minutes on 2 cores with empty caches.
 *
 * @throws without Go, or if the build fails
 */
export async function buildWithGo(target: string, context: SourceContext): Promise<void> {
  const { onProgress } = context;
  const workspace = `${target}.build`;
  await rm(workspace, { recursive: true, force: true });
  mkdirSync(join(workspace, 'bin'), { recursive: true });
  const began = Date.now();
  onProgress('building the Temporal server with Go, once: about 3 minutes on 2 cores …');
  const report = setInterval(() => {
    onProgress(`still building the Temporal server (${Math.round((Date.now() - began) / 1000)} s) …`);
  }, REPORT_EVERY_MS);
  try {
    await goInstall(workspace, context);
    renameSync(join(workspace, 'bin', 'temporal'), target);
    onProgress(`the Temporal server is built (${Math.round((Date.now() - began) / 1000)} s) and kept in ${target}`);
  } finally {
    clearInterval(report);
    onProgress('removing what only the build needed …');
    // Asynchronous: hundreds of megabytes would block everything.
    await rm(workspace, { recursive: true, force: true });
  }
}
