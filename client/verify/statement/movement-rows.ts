import type { Answer, Api } from '../../http/api.ts';
import { newCursors } from '../../progress/new-cursors.ts';
import { Difference, mustEqual } from '../check.ts';

export type ShownRow = Answer<'GET /tokens/{mint}/rewards/statement'>['movements'][number];

export type ShownTotals = Answer<'GET /tokens/{mint}/rewards/statement'>['totals'];

export interface Statement {
  readonly rows: readonly ShownRow[];
  /** Of all rows. */
  readonly totals: ShownTotals;
}

export interface PotStatement extends Statement {
  readonly mint: string;
  readonly pot: string;
  readonly quoteMint: string;
}

type Page = Pick<Answer<'GET /tokens/{mint}/rewards/statement'>, 'movements' | 'totals' | 'pagination'>;

async function readPages<T extends Page>(
  list: string,
  ask: (query: { limit: number; cursor?: string }) => Promise<T>,
): Promise<Statement & { readonly last: T }> {
  const rows: ShownRow[] = [];
  const onlyNew = newCursors(list);
  for (let cursor: string | undefined; ;) {
    const last = await ask({ limit: 100, ...(cursor !== undefined && { cursor }) });
    rows.push(...last.movements);
    if (!last.pagination.hasMore) return { rows, totals: last.totals, last };
    cursor = onlyNew(last.pagination.nextCursor);
  }
}

export async function readPotStatement(api: Api, mint: string): Promise<PotStatement> {
  const { rows, totals, last } = await readPages('GET /tokens/{mint}/rewards/statement', (query) =>
    api.ask('GET /tokens/{mint}/rewards/statement', { path: { mint }, query }),
  );
  return { rows, totals, mint: last.mint, pot: last.pot, quoteMint: last.quote.mint };
}

export type BudgetName = Answer<'GET /platform/statement'>['budget'];

export async function readBudgetStatement(api: Api, quoteMint: string, budget: BudgetName): Promise<Statement> {
  const { rows, totals } = await readPages('GET /platform/statement', (query) =>
    api.ask('GET /platform/statement', { query: { ...query, quoteMint, budget } }),
  );
  return { rows, totals };
}

/** Raw units; negative for what left. */
export interface Moved {
  readonly base: bigint;
  readonly quote: bigint;
}

export function movedBy(row: ShownRow): Moved {
  return {
    base: BigInt(row.baseInRaw) - BigInt(row.baseOutRaw),
    quote: BigInt(row.quoteInRaw) - BigInt(row.quoteOutRaw),
  };
}

const FULL_BPS = 10_000n;

/** Requires that a row of a budget sets aside its part of a harvest, and nothing else. */
export function mustBeShare(row: ShownRow, { quoteRaw, shareBps }: NonNullable<ShownRow['harvest']>): void {
  const share = (BigInt(quoteRaw) * BigInt(shareBps)) / FULL_BPS;
  const stated = { value: String(movedBy(row).quote), from: `row ${row.number}` };
  mustEqual(
    'a share of a harvest is another',
    { value: String(share), from: `${shareBps} bps of ${quoteRaw}` },
    stated,
  );
  if (share >= 0n) return;
  throw new Difference(
    'a share takes from the budget',
    { value: 'a part of a harvest', from: 'docs/verify.md' },
    stated,
  );
}

const SUMMED = ['baseIn', 'baseOut', 'quoteIn', 'quoteOut'] as const;

export function checkSums({ rows, totals }: Statement, source: string): string {
  const stated = (value: string) => ({ value, from: `the totals of ${source}` });
  for (const name of SUMMED) {
    const sum = rows.reduce((total, row) => total + BigInt(row[`${name}Raw`]), 0n);
    mustEqual(
      `the rows have another sum (${name})`,
      { value: String(sum), from: 'the rows' },
      stated(totals[`${name}Raw`]),
    );
  }
  for (const side of ['base', 'quote'] as const) {
    const held = BigInt(totals[`${side}InRaw`]) - BigInt(totals[`${side}OutRaw`]);
    const left = { value: String(held), from: 'in less out' };
    mustEqual(`in is not out and held (${side})`, left, stated(totals[`${side}HeldRaw`]));
  }
  return `in is out and held: ${totals.baseHeldRaw} coins, ${totals.quoteHeldRaw} quote tokens, raw units`;
}
