import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { installedOnce } from '../support/cache.ts';

const cache = mkdtempSync(join(tmpdir(), 'slipway-cache-'));
afterAll(() => rm(cache, { recursive: true }));

it('test files that ask at once get one installation', async () => {
  const folder = join(cache, 'one');
  let installed = 0;
  const install = async () => {
    await sleep(100);
    installed += 1;
    writeFileSync(join(folder, 'program'), '');
  };
  await Promise.all([1, 2, 3].map(() => installedOnce(folder, install)));
  expect([installed, existsSync(join(folder, 'program'))]).toEqual([1, true]);
});

it('what a failed installation left is not there when it is tried again', async () => {
  const folder = join(cache, 'two');
  const half = () => {
    writeFileSync(join(folder, 'half'), '');
    return Promise.reject(new Error('no network'));
  };
  await expect(installedOnce(folder, half)).rejects.toThrow('no network');
  await installedOnce(folder, () => Promise.resolve());
  expect(existsSync(join(folder, 'half'))).toBe(false);
});
