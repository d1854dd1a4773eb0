import type { Answer } from '../../http/api.ts';
import type { Chain } from '../chain.ts';
import { type Check, createChecks, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { groupBy } from '../group-by.ts';
import { checkGrowing, shown } from '../growing-list.ts';
import { checkBurned } from '../statement/burned-tokens.ts';
import { mustMove, readRows } from '../statement/chain-rows.ts';
import { checkSums, type ShownRow, type Statement } from '../statement/movement-rows.ts';
import { checkGrowth, type ProvenHarvests } from './earned-fees.ts';

export type RevenueHistory = Answer<'GET /revenue/history'>;

export interface RevenueStatement extends Statement {
  readonly quoteMint: string;
}

export interface ShownRevenue {
  readonly statements: readonly RevenueStatement[];
  readonly history: RevenueHistory;
  /** Every wallet that ever was the treasury. */
  readonly treasuries: readonly string[];
  /** Every wallet that ever was the platform's, which burns the coins of harvests. */
  readonly platforms: readonly string[];
}

export interface RevenueQuestion {
  readonly revenue: () => Promise<ShownRevenue>;
  readonly source: string;
  readonly chain: Chain;
  /** Rows to read; default 2,000. */
  readonly most?: number;
}

export async function verifyRevenue(question: RevenueQuestion): Promise<readonly Check[]> {
  const { source, chain, most = 2_000 } = question;
  const checks = createChecks();
  const revenue = await checks.run('list', async () => {
    const value = await shown(question.revenue);
    const hows = value.statements.map(({ rows, quoteMint }) => `${quoteMint}: ${checkGrowing(rows, null, source)}`);
    return { how: hows.join(', ') || 'no revenue yet', value };
  });
  if (!revenue) return checks.done;
  const { statements, treasuries, platforms: owners } = revenue;
  await checks.run('sums', () => {
    for (const statement of statements) checkSums(statement, source);
    return { how: 'the rows are the totals', value: null };
  });
  await checks.run('days', () => checkDays(revenue, source));
  const proven = await checks.run('rows', () => checkRows(chain, statements, treasuries, most));
  if (proven) {
    await checks.run('growth', () => checkGrowth(chain, proven));
    const rows = proven.flatMap((harvests) => harvests.rows);
    await checks.run('burned', () => checkBurned(chain, rows, { owners, most }));
  }
  await checks.run('prices', () => {
    throw new NotProvable('the prices of harvests in USD are stated: compare them with a price service of their hour');
  });
  return checks.done;
}

async function checkRows(
  chain: Chain,
  statements: readonly RevenueStatement[],
  owners: readonly string[],
  most: number,
): Promise<Outcome<readonly ProvenHarvests[]>> {
  const value: ProvenHarvests[] = [];
  for (const { quoteMint, rows } of statements) {
    const read = await readRows(chain, rows, most);
    for (const row of read) mustMove(row, { owners, base: null, quote: quoteMint });
    value.push({ quoteMint, rows: read });
  }
  const count = value.reduce((sum, { rows }) => sum + rows.length, 0);
  return { how: `${count} of ${count} harvests reached the treasury, with these amounts`, value };
}

/** Half a cent: figures are sums of more decimals than a number shows. */
const HALF_A_CENT = 0.005;

function checkDays({ statements, history }: ShownRevenue, source: string): Outcome<null> {
  const rows = statements.flatMap((statement) => statement.rows);
  const byDay = groupBy(rows, dayOf);
  for (const { date, dailyRevenue } of history.days) {
    const sum = (byDay.get(date) ?? []).reduce((total, { valueUsd }) => total + (valueUsd ?? 0), 0);
    byDay.delete(date);
    if (Math.abs(sum - dailyRevenue) < HALF_A_CENT) continue;
    const found = { value: dailyRevenue.toFixed(2), from: `/revenue/history of ${source}` };
    mustEqual(`the revenue of ${date} is not that of its rows`, { value: sum.toFixed(2), from: 'its rows' }, found);
  }
  const left = [...byDay.keys()].join(', ') || 'none';
  mustEqual(
    'the history lacks days',
    { value: 'none', from: `/revenue/history of ${source}` },
    { value: left, from: 'the rows' },
  );
  const { revenueRows } = history.coverage;
  const counted = { value: String(revenueRows), from: `/revenue/history of ${source}` };
  mustEqual('the history counts other rows', { value: String(rows.length), from: 'the statements' }, counted);
  return { how: `${history.days.length} days are the sums of ${rows.length} rows, to the cent`, value: null };
}

function dayOf({ landedAt }: ShownRow): string {
  return landedAt?.slice(0, 10) ?? 'without a day';
}
