import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyCheckout } from '../../support/dev/checkout-copy.ts';
import { ProcessTree } from '../../support/dev/process-tree.ts';
import { chromiumPath } from '../../support/web/chromium-path.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ManifestSchema = Type.Object({ scripts: Type.Record(Type.String(), Type.String()) });
const { scripts } = Parse(ManifestSchema, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

/** A script that starts something, and the command line of a part that it starts. */
interface Starting {
  readonly args: readonly string[];
  readonly part: RegExp;
}

const TEST_WORKER = /vitest\/suppress-warnings/;
const DATABASE = /postgres/;

/** Each script of package.json; null for one that does its work itself and ends. */
const SCRIPTS: Readonly<Record<string, Starting | null>> = {
  setup: null,
  start: { args: [], part: DATABASE },
  demo: { args: [], part: DATABASE },
  migrate: null,
  ops: null,
  test: { args: ['test/db/platform.test.ts'], part: DATABASE },
  'test:quick': { args: ['test/domain'], part: TEST_WORKER },
  'test:campaigns': { args: ['test/dev/stack/supervisor.campaign.test.ts'], part: TEST_WORKER },
  check: { args: [], part: /lib\/tsc -p/ },
  typecheck: { args: [], part: /lib\/tsc -p/ },
  lint: null,
  format: null,
  'format:check': null,
  'build:web': null,
  'dev:web': { args: ['--port', '0'], part: /bin\/vite --config/ },
  docs: null,
  // Without Chromium it starts nothing.
  screenshots: chromiumPath() === undefined ? null : { args: [], part: DATABASE },
  imports: null,
  releases: null,
  variants: null,
  words: null,
  chaos: { args: ['--rounds', '1'], part: DATABASE },
  'planted-bugs': { args: ['another-plan-is-sealed'], part: TEST_WORKER },
  campaign: { args: ['--minutes', '1'], part: DATABASE },
  drill: { args: [], part: DATABASE },
  'line-histories': { args: ['--histories', '50'], part: DATABASE },
  generators: null,
  'stream-libraries': { args: [], part: DATABASE },
  conformance: { args: ['--rpc', 'http://127.0.0.1:9'], part: /conformance\/main/ },
  bench: { args: ['reads'], part: DATABASE },
};

const folder = mkdtempSync(join(tmpdir(), 'slipway-scripts-'));
beforeAll(() => {
  copyCheckout(folder);
  // Planted bugs are planted into a copy of the last commit.
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('-c', 'user.name=Test', '-c', 'user.email=test@localhost', 'commit', '--quiet', '-m', 'Copy the checkout');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('package.json has no other script', () => {
  expect(Object.keys(SCRIPTS)).toEqual(Object.keys(scripts));
});

const STARTING = Object.entries(SCRIPTS).flatMap(([name, row]) => (row ? [[name, row] as const] : []));

it.each(STARTING)('npm run %s leaves nothing after kill -9 of npm', async (name, { args, part }) => {
  const env = {
    ...process.env,
    PORT: '0',
    SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'] ?? join(ROOT, '.data/cache'),
  };
  const npm = spawn('npm', ['run', name, '--', ...args], { cwd: folder, env, detached: true, stdio: 'ignore' });
  const tree = new ProcessTree(npm.pid ?? 0);
  await tree.has(part);
  npm.kill('SIGKILL');
  expect(await tree.leftAtTheEnd()).toEqual([]);
});
