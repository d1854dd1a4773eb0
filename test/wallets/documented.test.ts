import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WALLETS } from '../support/wallets/wallets.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/launch-a-token.md'), 'utf8');
const section = page.slice(page.indexOf('### Changes by wallets'), page.indexOf('\n### Submit'));
const rows = section.split('\n').filter((line) => line.startsWith('- **'));
const namesIn = (row: string) => [...row.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, name]) => name ?? []);

it('docs/launch-a-token.md says what each wallet does that the tests sign as, and names no other', () => {
  expect(rows.flatMap(namesIn).sort()).toEqual(WALLETS.map(({ name }) => name).sort());
});

it('eight wallets or more have a public source', () => {
  const sourced = rows.filter((row) => /\([\w-]+\/[\w.-]+/.test(row)).flatMap(namesIn);
  expect(sourced.length).toBeGreaterThanOrEqual(8);
});
