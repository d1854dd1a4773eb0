import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LAUNCH_MACHINE, type LaunchRule, stepsOf } from '../../domain/launch/machine.ts';
import { isSettled, LAUNCH_STATES, type LaunchState } from '../../domain/launch/state.ts';
import { plantedBugs } from '../campaigns/planted-bugs/planted-bug.ts';

/** Without the spaces that align its tables. */
const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/reliability.md'), 'utf8').replaceAll(/ +/g, ' ');
const BUGS = plantedBugs(join(import.meta.dirname, '../campaigns/planted-bugs'));

it.each(LAUNCH_STATES)('docs/reliability.md shows the steps and ways of %s', (state) => {
  expect(DOCUMENT).toContain(rowOf(state));
});

it.each(BUGS)('docs/reliability.md lists the planted bug $name', ({ name, what }) => {
  expect(DOCUMENT).toContain(`| \`${name}\` | ${what} |`);
});

it('at least ten bugs are planted', () => {
  expect(BUGS.length).toBeGreaterThanOrEqual(10);
});

function rowOf(state: LaunchState): string {
  const { leads }: LaunchRule = LAUNCH_MACHINE[state];
  const ways = Object.entries(leads).map(([event, next]) => `${event} → \`${next}\``);
  const steps = stepsOf(state).map((step) => `\`${step}\``);
  const idle = isSettled(state) ? 'settled' : 'waits for an operator';
  return `| \`${state}\` | ${steps.join(', ') || idle} |${ways.length > 0 ? ` ${ways.join(', ')}` : ''} |`;
}
