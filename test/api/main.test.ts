import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../../api/main.ts');

function main(args: string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
  });
}

test('--help lists the variables', () => {
  const { status, stdout } = main(['--help']);
  expect(status).toBe(0);
  expect(stdout).toContain('QUOTE_KEYS (required)');
});

test('a process without its configuration ends with status 1 and names every variable, printing no secret', () => {
  const { status, stderr } = main([], { QUOTE_KEYS: 'secret-value', PORT: 'http' });
  expect(status).toBe(1);
  expect(stderr).toContain('DATABASE_URL is not set');
  expect(stderr).toContain('PORT must be integer, got "http"');
  expect(stderr).toContain('QUOTE_KEYS must be');
  expect(stderr).not.toContain('secret-value');
});
