import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const START = join(import.meta.dirname, '../../dev/start.ts');

function start(args: string[], env: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, [START, ...args], { encoding: 'utf8', env: { ...process.env, ...env } });
}

test('--help tells the options and the variables and starts nothing', () => {
  const { status, stdout } = start(['--help']);
  expect(status).toBe(0);
  expect(stdout).toContain('--keep');
  expect(stdout).toContain('DATABASE_URL, TEMPORAL_ADDRESS, SOLANA_RPC_URL, BLOCK_ENGINE_URL');
});

test('an unknown option is refused', () => {
  const { status, stderr } = start(['--fresh']);
  expect(status).not.toBe(0);
  expect(stderr).toContain("unknown option '--fresh'");
});
