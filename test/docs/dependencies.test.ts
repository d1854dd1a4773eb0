import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { Parse } from 'typebox/value';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const Versions = Type.Record(Type.String(), Type.String());
const PackageSchema = Type.Object({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
});

const { dependencies, devDependencies, optionalDependencies } = Parse(
  PackageSchema,
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
);
const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
const packages = Object.keys(all);
const reasons = new Map(
  [...readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8').matchAll(/^- `([^`]+)`: (.+)$/gm)].map(
    ([, name = '', reason = '']) => [name, reason],
  ),
);

const LockSchema = Type.Object({
  packages: Type.Record(Type.String(), Type.Object({ integrity: Type.Optional(Type.String()) })),
});

/** Development packages for machines that the project's own lock file was not made on: nothing that is deployed loads them. */
const WITHOUT_INTEGRITY = /^node_modules\/litesvm-(darwin|linux)-(arm64|x64)(-gnu|-musl)?$/;

it('the lock file has a hash for every package that is deployed', () => {
  const lock = Parse(LockSchema, JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const without = Object.entries(lock.packages).filter(([path, { integrity }]) => path !== '' && !integrity);
  expect(without.map(([path]) => path).filter((path) => !WITHOUT_INTEGRITY.test(path))).toEqual([]);
});

describe('docs/dependencies.md', () => {
  it.each(packages)('says why %s is needed', (name) => {
    expect(reasons.get(name)?.length ?? 0).toBeGreaterThan(10);
  });

  it('names no package that is gone', () => {
    expect([...reasons.keys()].filter((name) => !packages.includes(name))).toEqual([]);
  });

  it.each(Object.entries(all))('%s is pinned to one version', (_name, version) => {
    expect(version).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
  });
});
