import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Db } from '../../db/connect.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import { address } from '../support/launch/launch-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { bookHarvest } from '../support/fee-sweep/revenue-rows.ts';
import { createTestDatabase } from '../setup/database.ts';
import { ops } from '../support/ops/ops-run.ts';

let db: Db;
let env: Record<string, string>;
let mints: string[];
const PROBLEM = 'Fee Key lies elsewhere';

beforeAll(async () => {
  const { url } = await createTestDatabase();
  db = connect(url);
  env = { DATABASE_URL: url, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  mints = [await planned(), await planned(), await planned()];
  await feeSweeps.takeDue(db);
  await feeSweeps.noteProblem(db, { mint: mints[1]!, number: 1 }, PROBLEM);
  await feeSweeps.advance(db, { mint: mints[2]!, number: 1 }, 'planned', 'harvested');
  await bookHarvest(db, { mint: await launched(), quoteMint: address() });
});
afterAll(() => db.destroy());

const launched = async () => (await launchedToken(db)).mint;

async function planned(): Promise<string> {
  const mint = await launched();
  const price = { quoteUsd: null, priceSource: null, pricedAt: null, baseUsd: null };
  const claimable = { claimableBaseRaw: 1n, claimableQuoteRaw: 2n };
  await feeSweeps.plan(db, {
    mint,
    feeKeyMint: address(),
    ...claimable,
    ...price,
    buybackBps: 5_000,
    flywheelBps: 0,
  });
  return mint;
}

async function list(line = ''): Promise<{ mint: string }[]> {
  const { status, printed } = await ops(env, `fee-sweeps list${line} --json`);
  expect(status).toBe(0);
  return (JSON.parse(printed) as { sweeps: { mint: string }[] }).sweeps;
}

const dueAt = async (mint: string) => (await feeSweeps.byKey(db, { mint, number: 1 }))?.dueAt;

describe('fee-sweeps list', () => {
  test('shows open sweeps with what is next and why it did not happen', async () => {
    const open = await list();
    expect(open.map(({ mint }) => mint).sort()).toEqual([...mints].sort());
    const [, failing, harvested] = mints;
    expect(open).toContainEqual(
      expect.objectContaining({ mint: failing, state: 'planned', tries: 1, problem: PROBLEM, what: 'fees' }),
    );
    expect(open).toContainEqual(
      expect.objectContaining({ mint: harvested, state: 'harvested', purpose: `fee-sweep/${harvested}/1/burn` }),
    );
  });

  test('shows those that fail, and those of one token', async () => {
    expect(await list(' --failing')).toMatchObject([{ mint: mints[1] }]);
    expect(await list(` --mint ${mints[0]}`)).toMatchObject([{ mint: mints[0] }]);
    expect(await list(` --mint ${address()}`)).toEqual([]);
    expect((await ops(env, 'fee-sweeps list')).printed).toMatch(/^MINT .*\n.*planned/);
  });
});

describe('fee-sweeps retry', () => {
  test('does nothing where nothing is open', async () => {
    const stranger = address();
    expect(await ops(env, `fee-sweeps retry ${stranger}`)).toMatchObject({
      status: 1,
      message: `no sweep of ${stranger} is open`,
    });
  });

  test('makes sweeps due and writes down who did it, also where no round can be started', async () => {
    const [mint] = mints;
    const before = await dueAt(mint!);
    expect(before?.getTime()).toBeGreaterThan(Date.now());
    const result = await ops(env, ['fee-sweeps', 'retry', mint!, '--note', 'funded the wallet']);
    expect(result).toMatchObject({ status: 1, message: 'Temporal at 127.0.0.1:1 cannot be reached' });
    expect((await dueAt(mint!))?.getTime()).toBeLessThanOrEqual(Date.now());
    const audit = await db.selectFrom('auditLog').selectAll().where('action', '=', 'fees.retry').execute();
    expect(audit).toMatchObject([{ actor: 'os-user', subject: `token/${mint}`, note: 'funded the wallet' }]);
  });
});
