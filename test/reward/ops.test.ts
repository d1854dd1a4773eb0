import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Db } from '../../db/connect.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import { address } from '../support/launch/launch-rows.ts';
import { launchedToken, rewardFacts } from '../support/launch/launched-token.ts';
import { insertDistribution } from '../support/reward/reward-rows.ts';
import { createTestDatabase } from '../setup/database.ts';
import { ops } from '../support/ops/ops-run.ts';

let db: Db;
let env: Record<string, string>;
let mint: string;
const id = randomUUID();
const [ended, problem] = [randomUUID(), 'the market has a gap: blocks are missing'];

beforeAll(async () => {
  const { url } = await createTestDatabase();
  db = connect(url);
  env = { DATABASE_URL: url, TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_UI_URL: 'http://ui:8233/' };
  ({ mint } = await launchedToken(db, rewardFacts(100)));
  await insertDistribution(db, mint, { roundId: ended, landedAt: new Date(Date.UTC(2026, 0, 1)) });
  const transactions = [{ n: 0, kind: 'tax' as const, sources: [address()] }];
  await rewardRounds.plan(db, { id, mint, number: 2, openedSlot: 7n, window: { slot: 9, slots: 9 } });
  await rewardSnapshots.keep(
    db,
    { roundId: id, windowSlot: 9n },
    { n: 0, slot: 9n, blockhash: address(), readSlot: 12n, answerSlots: [12n], quorum: 1 },
    { balances: new Map(), withheld: null, otherAccounts: new Map() },
  );
  await rewardRounds.planCollection(db, id, { sellAt: new Date(), transactions });
  await rewardRounds.noteProblem(db, id, problem);
});
afterAll(() => db.destroy());

describe('rewards list', () => {
  test('shows all rounds, the open ones alone, or a token’s', async () => {
    const { printed, status } = await ops(env, 'rewards list');
    expect(status).toBe(0);
    expect(printed).toContain(id);
    expect(printed).toContain(problem);
    expect(printed).toContain('found on the chain');
    const open = await ops(env, 'rewards list --open --json');
    expect(JSON.parse(open.printed)).toMatchObject({ rounds: [{ id, mint, state: 'collecting', tries: 1, problem }] });
    expect(JSON.parse((await ops(env, `rewards list --mint ${address()} --json`)).printed)).toEqual({ rounds: [] });
  });
});

describe('rewards show', () => {
  test('says what was observed, moved and paid, and why it stands still', async () => {
    for (const named of [id, `reward-round-${id}`, mint]) {
      const { printed } = await ops(env, `rewards show ${named}`);
      expect(printed).toContain(`reward round ${id}: collecting`);
      for (const text of [problem, 'Observations', 'tax', `workflows/reward-round-${id}`])
        expect(printed).toContain(text);
    }
    const { transactions, funds } = JSON.parse((await ops(env, `rewards show ${ended} --json`)).printed) as {
      transactions: object[];
      funds: object;
    };
    expect(transactions).toMatchObject([{ kind: 'payout', paidRaw: '5000000' }]);
    expect(funds).toEqual({ baseRaw: '0', quoteRaw: '-5000000' });
  });

  test('of what there is not ends with 1 and says so', async () => {
    const { status, message } = await ops(env, `rewards show ${randomUUID()}`);
    expect([status, message]).toEqual([1, expect.stringContaining('there is no reward round')]);
  });
});

describe('rewards retry', () => {
  test('of a round that has ended is refused', async () => {
    const { status, message } = await ops(env, `rewards retry ${ended}`);
    expect([status, message]).toEqual([1, expect.stringContaining(`reward round ${ended} has ended`)]);
  });

  test('is audited with who and why, and says when Temporal is away', async () => {
    const { status, message } = await ops(env, ['rewards', 'retry', mint, '--note', 'prices are back']);
    expect([status, message]).toEqual([1, expect.stringContaining('Temporal at 127.0.0.1:1 cannot be reached')]);
    const audit = db.selectFrom('auditLog').selectAll().where('action', '=', 'reward.retry');
    expect(await audit.executeTakeFirstOrThrow()).toMatchObject({
      actor: 'os-user',
      subject: `reward/${id}`,
      note: 'prices are back',
    });
  });
});
