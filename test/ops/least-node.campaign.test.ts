import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The oldest release that `engines` of package.json allows. */
const { engines } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { engines: { node: string } };
const VERSION = `${/^>=(\d+)$/.exec(engines.node)?.[1]}.0.0`;

/** Installs that Node once for a machine, as one package of the registry; returns its program. */
async function leastNode(): Promise<string> {
  const folder = join(process.env['SLIPWAY_CACHE_DIR'] ?? join(PROJECT, '.data/cache'), `node-${VERSION}`);
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  await run('npm', [...args, `${name}@${VERSION}`], { cwd: folder });
  return program;
}

describe('the least Node of `engines`, on the operator’s PATH', () => {
  let node: string;
  beforeAll(async () => {
    node = await leastNode();
  });

  /** As `npm run NAME` runs it. */
  async function script(name: string, ...args: string[]): Promise<string> {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const [, words = ''] = /^exec node (.*)$/.exec(scripts[name] ?? '') ?? [];
    // npm puts the packages' programs first.
    const env = { PATH: [join(PROJECT, 'node_modules/.bin'), dirname(node), process.env['PATH']].join(delimiter) };
    const { stdout } = await run(node, [...words.split(' '), ...args], { cwd: PROJECT, env });
    return stdout;
  }

  it('is that version', async () => {
    expect((await run(node, ['--version'])).stdout).toBe(`v${VERSION}\n`);
  });

  it.each([
    ['ops', ['lanes', 'make', '--help'], 'npm run ops -- lanes make --seed seed-1'],
    ['ops', ['launches', 'adopt', '--help'], 'npm run ops -- launches adopt'],
    ['migrate', ['up', '--help'], 'run every migration'],
    ['start', ['--help'], 'npm start'],
    ['drill', ['--help'], '--kill'],
  ])('runs npm run %s -- %s', async (name, args, shown) => {
    expect(await script(name, ...args)).toContain(shown);
  });
});
