import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { plantedBugs } from './planted-bug.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');
const BUGS = plantedBugs(import.meta.dirname);

it('at least ten bugs are planted', () => {
  expect(BUGS.length).toBeGreaterThanOrEqual(10);
});

it.each(BUGS)('$name can be planted into the code as it is', async ({ patchFile }) => {
  await promisify(execFile)('git', ['apply', '--check', patchFile], { cwd: REPOSITORY });
});
