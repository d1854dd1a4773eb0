import { afterAll, beforeAll, expect, test } from 'vitest';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as flywheelTokens from '../../db/buyback/flywheel-tokens.ts';
import * as buybackBudgets from '../../db/buyback/buyback-budgets.ts';
import { address } from '../support/launch/launch-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { bookHarvest } from '../support/fee-sweep/revenue-rows.ts';
import { createTestDatabase } from '../setup/database.ts';
import { ops } from '../support/ops/ops-run.ts';

let db: Db;
let env: Record<string, string>;
let [mint, id]: string[] = [];
const quoteMint = address();

beforeAll(async () => {
  const { url } = await createTestDatabase();
  db = connect(url);
  env = { DATABASE_URL: url, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  ({ mint } = await launchedToken(db));
  await bookHarvest(db, { mint, quoteMint }, { quoteRaw: 1_000n });
  await flywheelTokens.rank(db, { since: new Date(0), tokens: 10 });
  const price = { quoteUsd: null, priceSource: null, pricedAt: null };
  id = await buybackRounds.plan(db, { kind: 'flywheel', mint, quoteMint, mostRaw: 100n, ...price });
  await buybackRounds.noteProblem(db, id, 'the pool gives less');
  await buybackBudgets.noteProblem(db, { kind: 'buyback', quoteMint }, 'PLATFORM_TOKEN_MINT is not set');
});
afterAll(() => db.destroy());

test('an operator sees what is set aside and why it is not spent, the ranking, and stuck purchases with their reason', async () => {
  const { status, printed } = await ops(env, 'buybacks list --json');
  expect(status).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({
    budgets: [
      { kind: 'buyback', quoteMint, allocatedRaw: '500', leftRaw: '500', problem: 'PLATFORM_TOKEN_MINT is not set' },
      { kind: 'flywheel', quoteMint, allocatedRaw: '100', spentRaw: '0', problem: null },
    ],
    ranking: [{ rank: 1, mint, revenueUsd: '2.5' }],
    purchases: [{ id, state: 'planned', mostRaw: '100', problem: 'the pool gives less' }],
  });
  expect((await ops(env, 'buybacks list')).printed).toContain('PLATFORM_TOKEN_MINT is not set');
});

test('one purchase is shown with its transactions; one that is not there is named', async () => {
  const { printed } = await ops(env, `buybacks show ${id} --json`);
  expect(JSON.parse(printed)).toMatchObject({ purchase: { id, kind: 'flywheel', mostRaw: '100' }, transactions: [] });
  expect(await ops(env, 'buybacks show nope')).toMatchObject({ status: 1, message: 'there is no purchase nope' });
});

test('a retry without Temporal says so and is not audited', async () => {
  expect((await ops(env, 'buybacks retry')).status).toBe(1);
  expect(await db.selectFrom('auditLog').selectAll().where('action', '=', 'buyback.retry').execute()).toEqual([]);
});
