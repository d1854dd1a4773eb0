import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GROWING, STANDING_STATEMENTS } from '../support/db/growth/standing-statements.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Code that runs at a start, a comparison of the books, a scrape, or when an operator asks what is wrong. */
const STANDING = [
  'worker',
  'activities/money/reconcile',
  'activities/claim/find-lost-runs.ts',
  'activities/launch/compare-uncharged.ts',
  'activities/launch/find-unknown.ts',
  'activities/restock/short-rounds.ts',
  'activities/reward/unplanned-rounds.ts',
  'ops/commands/platform/status',
  'ops/commands/platform/doctor',
  'ops/commands/money/lane-report.ts',
];

/** Modules of `db/` whose functions make no statement. */
const WITHOUT_STATEMENTS = ['connect', 'errors', 'prices/price-lookups'];

/** Functions of the other modules that make none. */
const PURE = ['buyback/buyback-budgets leftOf', 'events/webhook-endpoints isDue'];

function sources(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  const files = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).map((file) => join(path, file));
}

/** The functions of `db/` that a file calls, as "module function". */
function callsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const imports = text.matchAll(/^import (?:\* as (\w+)|\{([^}]*)\}) from '([^']*\/db\/[^']*)\.ts'/gm);
  return [...imports].flatMap(([, alias, names, path = '']) => {
    const module = relative('db', join(dirname(file), path));
    return calledNames(text, alias, names).map((name) => `${module} ${name}`);
  });
}

function calledNames(text: string, alias: string | undefined, names = ''): string[] {
  if (alias !== undefined) {
    const calls = text.matchAll(new RegExp(`\\b${alias}\\.(\\w+)\\(`, 'g'));
    return [...calls].flatMap(([, name]) => name ?? []);
  }
  const named = names.split(',').map((name) => name.trim().split(' as ').at(-1)!);
  return named.filter((name) => /^\w+$/.test(name) && new RegExp(`\\b${name}\\(`).test(text));
}

describe('the statements that run again and again', () => {
  const called = new Set(STANDING.flatMap(sources).flatMap(callsOf));

  it('are each in the list whose cost is measured against history, and no other is', () => {
    const made = [...called].filter(
      (call) => !PURE.includes(call) && !WITHOUT_STATEMENTS.includes(call.split(' ')[0] ?? ''),
    );
    expect(made.toSorted()).toEqual(Object.keys(STANDING_STATEMENTS).toSorted());
  });

  it('have a reason where they grow, and only where they are measured', () => {
    for (const name of Object.keys(GROWING)) expect(STANDING_STATEMENTS[name], name).toBeTypeOf('function');
  });
});
