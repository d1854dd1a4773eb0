import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHECKS } from '../../../ops/commands/platform/doctor/finding.ts';

const DEPLOY = readFileSync(join(import.meta.dirname, '../../../docs/deploy.md'), 'utf8');

/** Third cells of the rows below a table's head. */
function thirdCells(head: string): string[] {
  const [, table = ''] = DEPLOY.split(`| ${head}`, 2);
  const [, , ...rows] = table.split('\n\n', 1)[0]!.split('\n');
  return rows.map((row) => row.split('|')[3] ?? '');
}

it('the checklist of a deployment names every check of the doctor once, and no other', () => {
  const named = thirdCells('needed value').flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)]);
  expect(named.map(([, check]) => check).sort()).toEqual([...CHECKS].sort());
});

it('each line that the doctor cannot check names a command that does', () => {
  const cells = thirdCells('further value');
  expect(cells.length).toBeGreaterThan(3);
  for (const cell of cells) expect(cell).toMatch(/`[a-z]+ .*`/);
});
