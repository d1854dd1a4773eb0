import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');

it.each(['ops/main.ts', 'client/cli/main.ts'])('%s says nothing more once its reader has gone', async (program) => {
  // `true` ends before a program has begun to print.
  const line = `"${process.execPath}" ${program} --help | true`;
  expect(await promisify(execFile)('sh', ['-c', line], { cwd: PROJECT })).toEqual({ stdout: '', stderr: '' });
});
