import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Variables that shells set for other programs. */
const DROPPED = {
  NODE_OPTIONS: '--no-strip-types',
  NODE_PATH: '/nowhere',
  NODE_ENV: 'production',
  NODE_DEBUG: 'net,http',
  NODE_V8_COVERAGE: '/nowhere',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  DEBUG: '*',
  PGHOST: 'nowhere.invalid',
  PGSSLMODE: 'require',
  PGOPTIONS: '-c no_such_setting=1',
  PGSERVICE: 'nothing',
  PGPASSFILE: '/no where/pgpass',
};
const PROXIES = { http_proxy: 'http://127.0.0.1:9', ALL_PROXY: 'socks5://127.0.0.1:9', no_proxy: 'intranet.example' };
const ARGUMENTS = ["it's", 'two words', '*', '$HOME', '"quoted"', ''];

const parent = mkdtempSync(join(tmpdir(), 'slipway-run-'));
const folder = join(parent, "a folder's näme (100%) #1 [x] & $y;z");

/** Surroundings of a command that the script runs. */
let seen: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly args: readonly string[] };

beforeAll(() => {
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  for (const name of ['run.mjs', 'descendants.mjs'])
    copyFileSync(join(import.meta.dirname, '../../scripts', name), join(folder, 'scripts', name));
  // In place of the installation.
  writeFileSync(join(folder, 'scripts/setup.mjs'), '');
  const program = join(parent, 'tell.mjs');
  const told = join(parent, 'told.json');
  const facts = '{ env: process.env, cwd: process.cwd(), args: process.argv.slice(2) }';
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(told)}, JSON.stringify(${facts}));\n`,
  );
  execFileSync(process.execPath, ['scripts/run.mjs', process.execPath, program, ...ARGUMENTS], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...DROPPED, ...PROXIES },
  });
  seen = JSON.parse(readFileSync(told, 'utf8')) as typeof seen;
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

describe('what npm start, demo and test run', () => {
  it.each(Object.keys(DROPPED))('does not see %s of the shell', (name) => {
    expect(seen.env).not.toHaveProperty(name);
  });

  it('reaches this machine past any proxy, and leaves the shell’s own exceptions', () => {
    for (const name of ['no_proxy', 'NO_PROXY', 'no_grpc_proxy'])
      expect(seen.env[name]).toBe('127.0.0.1,localhost,::1,intranet.example');
  });

  it('gets its folder and its arguments as they are', () => {
    expect([seen.cwd, seen.args]).toEqual([folder, ARGUMENTS]);
  });
});
