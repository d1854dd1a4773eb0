import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listVariants, programOf, variantProblems } from '../../../dev/house/variants.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'variants-'));
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, types: [] } }));
});
afterAll(() => rmSync(root, { recursive: true }));

const HEAD = `
export type Tier = '1%' | '2%';
export interface Plan { readonly tier?: Tier; readonly name: string }
declare function take(value: unknown): void;
`;

/** Lines of the code, from 1, at which a union is decided. */
function found(code: string): number[] {
  writeFileSync(join(root, 'facts.ts'), HEAD.trim() + '\n' + code);
  const program = programOf(root, 'tsconfig.json', () => true);
  const listed = listVariants(program, root, { folders: [''], elsewhere: {}, open: {} });
  return variantProblems(program, root, listed).map(({ line }) => line - 3);
}

it.each([
  ["export const feeOf = (tier: Tier) => (tier === '2%' ? 2 : 1);"],
  ["export const feeOf = ({ tier }: Plan) => (tier !== '1%' ? 2 : 1);"],
  ["export const feeOf = (plan: Plan) => ('2%' === plan.tier ? 2 : 1);"],
  ["export const feeOf = (plan: Plan | null) => (plan && plan.tier === '2%' && plan.name ? 2 : 1);"],
  ["export function feeOf(tier: Tier) { if (tier === '2%') { take(2); } else { take(1); } }"],
  ["export function feeOf(tier: Tier) { if (tier === '2%') return 2; return 1; }"],
  ["export const factsOf = ({ tier }: Plan) => ({ ...(tier === '2%' && { fee: 2 }) });"],
])('a branch that a new member would silently fall into is found: %s', (code) => {
  expect(found(code)).toEqual([1]);
});

it.each([
  ["export function feeOf(tier: Tier) { switch (tier) { case '1%': return 1; case '2%': return 2; } }"],
  ["const FEES: Record<Tier, number> = { '1%': 1, '2%': 2 }; export const feeOf = (tier: Tier) => FEES[tier];"],
  ["export function only(tier: Tier) { if (tier !== '1%') throw new Error('not offered'); return 1; }"],
  ["export const isIt = (name: string) => (name === '2%' ? 2 : 1);"],
  ["export const dear = (plans: Plan[]) => plans.filter(({ tier }) => tier === '2%');"],
])('what asks for each member, guards, or compares something else is not: %s', (code) => {
  expect(found(code)).toEqual([]);
});

it('a union that is open may be decided by a comparison, and one of another folder is not ours', () => {
  writeFileSync(join(root, 'facts.ts'), HEAD);
  const program = programOf(root, 'tsconfig.json', () => true);
  const listed = (folders: string[], open: Record<string, string>) => [
    ...listVariants(program, root, { folders, elsewhere: {}, open }).values(),
  ];
  expect(listed([''], {})).toEqual(['Tier']);
  expect(listed([''], { Tier: 'There are two for ever.' })).toEqual([]);
  expect(listed(['domain/'], {})).toEqual([]);
});

it.each([
  ['elsewhere', { elsewhere: { 'facts.ts': ['Gone'] }, open: {} }],
  ['open', { elsewhere: {}, open: { Gone: 'It is not there.' } }],
])('a name in the list `%s` that is no union of literals is an error: the list cannot rot', (_list, lists) => {
  writeFileSync(join(root, 'facts.ts'), HEAD);
  const program = programOf(root, 'tsconfig.json', () => true);
  expect(() => listVariants(program, root, { folders: [''], ...lists })).toThrow('has no union of literals "Gone"');
});
