import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { VERIFY_CHECKS } from '../../dev/docs/verify-checks.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Those that follow a log run checks named by the event. */
const WITHOUT_NAMES = ['events', 'webhook'];

const COMMANDS = globSync('client/verify/*/verify-*.ts', { cwd: ROOT })
  .map((path) => [basename(path, '.ts').replace('verify-', ''), path] as const)
  .filter(([command]) => !WITHOUT_NAMES.includes(command));

it('ten commands run named checks', () => {
  expect(COMMANDS.length).toBe(10);
});

it.each(COMMANDS)('docs/verify-checks.md has every check of `slipway verify %s`, and no other', (command, path) => {
  const source = readFileSync(join(ROOT, path), 'utf8');
  const run = [...source.matchAll(/\brun\(\s*'([a-z ]+)'/g)].map(([, name = '']) => name);
  const documented = VERIFY_CHECKS.filter(({ commands }) => commands.some((one) => one === command));
  expect(documented.flatMap(({ names }) => names).toSorted()).toEqual(run.toSorted());
});
