import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { copyCheckout } from '../../support/dev/checkout-copy.ts';

const ROOT = join(import.meta.dirname, '../../..');
const parent = mkdtempSync(join(tmpdir(), 'slipway-shell-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** What shells set for other programs, with values that would break each part that listened to them. */
const HOSTILE = {
  http_proxy: 'http://127.0.0.1:9',
  https_proxy: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  ALL_PROXY: 'socks5://127.0.0.1:9',
  grpc_proxy: 'http://127.0.0.1:9',
  PGHOST: 'nowhere.invalid',
  PGSSLMODE: 'require',
  PGOPTIONS: '-c no_such_setting=1',
  TEMPORAL_TLS: '1',
  TEMPORAL_API_KEY: 'not-a-key',
  TEMPORAL_CLI_ADDRESS: 'nowhere.invalid:1',
  NODE_ENV: 'production',
  NODE_OPTIONS: '--no-strip-types',
  SSL_CERT_FILE: '/nowhere/ca.pem',
  DEBUG: '*',
};

/** Shells and URLs stumble over it. */
const FOLDER = `a "folder's" näme (100%) #1 [x] & $y;z`;

it('npm start is ready in any folder and any shell, and ends with nothing left', async () => {
  const cwd = join(parent, FOLDER);
  copyCheckout(cwd);
  const env = { ...process.env, SLIPWAY_CACHE_DIR: process.env['SLIPWAY_CACHE_DIR'] ?? join(ROOT, '.data/cache') };
  const started = spawn(process.execPath, ['scripts/run.mjs', process.execPath, 'dev/start.ts', '--json'], {
    cwd,
    env: { ...env, ...HOSTILE, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(started, 'exit');
  let told = '';
  started.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
  const [line] = (await Promise.race([once(createInterface(started.stdout), 'line'), ended])) as unknown[];
  expect(typeof line, told).toBe('string');
  const { siteUrl } = JSON.parse(String(line)) as { siteUrl: string };
  expect((await fetch(`${siteUrl}/readyz`)).status).toBe(200);
  started.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(readdirSync(parent)).toEqual([FOLDER]);
});
