import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BinarySource } from '../../../dev/stack/temporal/binary-source.ts';
import { findTemporalBinary } from '../../../dev/stack/temporal/find-binary.ts';
import { buildWithGo } from '../../../dev/stack/temporal/go-build.ts';
import { downloadWithSdk } from '../../../dev/stack/temporal/sdk-download.ts';

let directory: string;
const track = () => () => undefined;
const onProgress = vi.fn<(text: string) => void>();
const context = { onProgress, track };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-temporal-'));
});

afterEach(() => {
  onProgress.mockReset();
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

/** An executable shell script. */
function script(path: string, text: string): string {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const failing: BinarySource = { name: 'first', provide: () => Promise.reject(new Error('no network')) };

function find(options: { path?: string; sources?: readonly BinarySource[] } = {}): Promise<string> {
  return findTemporalBinary({ cacheDirectory: join(directory, 'cache'), path: '', ...context, ...options });
}

test('an executable temporal on PATH comes first', async () => {
  const onPath = script(join(directory, 'temporal'), 'true');
  expect(await find({ path: `/nowhere:${directory}`, sources: [failing] })).toBe(onPath);
});

test('what the first way cannot provide the next one does, and it is kept for the next time', async () => {
  const provide = vi.fn(async (target: string) => {
    script(target, 'true');
  });
  const sources = [failing, { name: 'second', provide }];
  const found = await find({ sources });
  expect(existsSync(found)).toBe(true);
  expect(await find({ sources })).toBe(found);
  expect(provide).toHaveBeenCalledTimes(1);
});

test('two starts at once build once', async () => {
  const provide = vi.fn(async (target: string) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    script(target, 'true');
  });
  const sources = [{ name: 'slow', provide }];
  const [one, other] = await Promise.all([find({ sources }), find({ sources })]);
  expect(one).toBe(other);
  expect(provide).toHaveBeenCalledTimes(1);
});

test('where every way fails the error tells what each answered, and the next start may try again', async () => {
  const other: BinarySource = { name: 'second', provide: () => Promise.reject(new Error('no compiler')) };
  await expect(find({ sources: [failing, other] })).rejects.toThrow(/first: no network\n {2}second: no compiler/);
  expect(readdirSync(join(directory, 'cache'))).toEqual([]);
});

test('without Go the error says what to install', async () => {
  vi.stubEnv('PATH', '/nowhere');
  await expect(buildWithGo(join(directory, 'temporal'), context)).rejects.toThrow(/"go" is not on PATH.*Install Go/);
});

test('a build that fails tells what the compiler said and leaves nothing', async () => {
  script(join(directory, 'go'), 'echo "disk quota exceeded" >&2; exit 2');
  vi.stubEnv('PATH', `${directory}:/usr/bin:/bin`);
  await expect(buildWithGo(join(directory, 'temporal'), context)).rejects.toThrow('status 2: disk quota exceeded');
  expect(readdirSync(directory)).toEqual(['go']);
});

test('a build appears under its name only when it is whole, and leaves no cache of the compiler', async () => {
  const target = join(directory, 'temporal');
  script(join(directory, 'go'), `[ -e "${target}" ] && exit 9; echo "$@" > "$GOBIN/temporal"; echo x > "$GOMODCACHE" `);
  vi.stubEnv('PATH', `${directory}:/usr/bin:/bin`);
  await buildWithGo(target, context);
  expect(readFileSync(target, 'utf8')).toBe('install github.com/temporalio/cli/cmd/temporal@v1.5.1\n');
  expect(readdirSync(directory).sort()).toEqual(['go', 'temporal']);
});

test('a download from which no byte comes is given up', async () => {
  const program = join(directory, 'hang.mjs');
  writeFileSync(program, 'setInterval(() => {}, 1000);');
  const target = join(directory, 'temporal');
  await expect(downloadWithSdk(target, context, { stallMs: 300, program })).rejects.toThrow(
    'no byte arrived for 300 ms',
  );
  expect(readdirSync(directory)).toEqual(['hang.mjs']);
});

test('a download that fails tells why', async () => {
  const program = join(directory, 'fail.mjs');
  writeFileSync(program, 'console.error("name not resolved"); process.exit(1);');
  await expect(downloadWithSdk(join(directory, 'temporal'), context, { stallMs: 5_000, program })).rejects.toThrow(
    'name not resolved',
  );
});

test('a download that succeeds is an executable under its name', async () => {
  const program = join(directory, 'download.mjs');
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs'; writeFileSync(process.argv[2] + '/any-name', 'binary');`,
  );
  const target = join(directory, 'temporal');
  await downloadWithSdk(target, context, { stallMs: 5_000, program });
  expect(readFileSync(target, 'utf8')).toBe('binary');
  expect(readdirSync(directory).sort()).toEqual(['download.mjs', 'temporal']);
});
