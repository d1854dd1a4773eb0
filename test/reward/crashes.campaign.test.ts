import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as laneRows from '../../db/money/lanes.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import { rewardRoundWorkflowId } from '../../workflows/reward/messages.ts';
import type { Market } from '../support/claim/claim-market.ts';
import { forgetMovements } from '../support/lanes/landed.ts';
import { eventually } from '../support/platform/eventually.ts';
import { startWorkerProcess } from '../support/platform/worker-process.ts';
import { expectBooksMatch, landedPurposes } from '../support/reward/books.ts';
import {
  type HeldMarket,
  launchHeldMarket,
  type RewardFixture,
  startRewardFixture,
  untilDone,
} from '../support/reward/reward-platform.ts';

let ground: RewardFixture;
let market: Market;
let holders: HeldMarket['holders'];
let held: HeldMarket['held'];
beforeAll(async () => {
  ground = await startRewardFixture({ REWARD_SNAPSHOT_WINDOW_SLOTS: '3', REWARD_SALE_WINDOW_SECONDS: '0' });
  ({ market, holders, held } = await launchHeldMarket(ground));
});
beforeEach(async () => {
  await market.trade('buy', 50_000_000n);
  await ground.settle(market);
});
afterAll(() => ground.close());

const STEPS = ['observeRewardHolders', 'collectRewards', 'sellRewards', 'planRewardPayouts', 'payRewards'];

/** The round came to its end, paid both holders, and everything that moved did so once. */
async function expectPaidOnce(round: RewardRound): Promise<void> {
  expect(round).toMatchObject({ state: 'done', note: null, problem: null });
  const payouts = ground.platform.db.selectFrom('rewardPayouts').select(['owner', 'state']);
  const paid = await payouts.where('roundId', '=', round.id).where('kind', '=', 'holder').execute();
  const owners = paid.map(({ owner }) => owner);
  for (const { publicKey } of holders) expect(owners).toContain(publicKey.toBase58());
  expect(paid.every(({ state }) => state === 'paid')).toBe(true);
  await expectBooksMatch(ground, market, held);
}

/** The round that is open now. */
const opened = (before: RewardRound | null) =>
  eventually(async () => {
    const round = await ground.newest(market);
    return round && round.id !== before?.id ? round : null;
  });

/** Waits until a round is in a state, or a later one. */
async function until(roundId: string, state: RewardRound['state']): Promise<void> {
  await eventually(async () => {
    const rows = ground.platform.db.selectFrom('rewardRounds').select('state').where('id', '=', roundId);
    return (await rows.executeTakeFirstOrThrow()).state === state ? true : null;
  }, `round ${roundId} in state ${state}`);
}

describe('a worker that did a step and died before it could say so', () => {
  it('every step is done again and changes nothing: holders are paid once', async () => {
    for (const step of STEPS) ground.platform.gate.loseAnswer(step);
    await expectPaidOnce(await ground.round(market));
  });
});

describe('a worker that stops just before a step', () => {
  it('is followed by one that goes on: at each step of one round, and holders are paid once', async () => {
    const held = STEPS.map((step) => ground.platform.gate.hold(step));
    await ground.plan();
    for (const { reached } of held) {
      await reached;
      await ground.platform.worker.stop();
      await ground.platform.worker.start();
    }
    await expectPaidOnce(await untilDone(ground.platform, market));
  });
});

describe('a worker process that is killed', () => {
  it('while payouts are on their way is followed by one that pays everybody once', async () => {
    const before = await ground.newest(market);
    const gate = ground.platform.gate.hold('payRewards');
    await ground.plan();
    await gate.reached;
    const { id } = await opened(before);
    await ground.platform.worker.stop();
    ground.platform.chain.control.dropTransactions(1_000_000);
    const first = await startWorkerProcess(ground.platform);
    await eventually(async () => {
      const rows = ground.platform.db.selectFrom('chainTransactions').select('status');
      const [row] = await rows
        .where('purpose', 'like', `reward/${id}/%` as never)
        .where('status', '=', 'broadcasting')
        .execute();
      return row ?? null;
    }, 'a payout on its way');
    await first.kill();
    ground.platform.chain.control.clear();
    const second = await startWorkerProcess(ground.platform);
    await expectPaidOnce(await untilDone(ground.platform, market));
    await second.kill();
    await ground.platform.worker.start();
  });
});

describe('a round whose workflow is gone', () => {
  it('gets a new one from the next run, which plans no second round of the token', async () => {
    const before = await ground.newest(market);
    const gate = ground.platform.gate.hold('sellRewards');
    await ground.plan();
    await gate.reached;
    const { id } = await opened(before);
    await ground.platform.worker.stop();
    await ground.platform.client.workflow.getHandle(rewardRoundWorkflowId(id)).terminate('lost');
    await ground.platform.worker.start();
    expect(await ground.plan()).toBe(1);
    const round = await untilDone(ground.platform, market);
    expect(round.id).toBe(id);
    await expectPaidOnce(round);
  });
});

describe('a database that was restored', () => {
  beforeEach(letForgottenDie);

  it('from before the payouts were signed finds them on the chain', async () => {
    const round = await ground.round(market);
    await expectPaidOnce(round);
    const { db } = ground.platform;
    const landed = await landedPurposes(ground, market);
    await forgetMovements(db, `reward/${round.id}/%`);
    await forget(round, { keepPayouts: true });
    expect(await ground.plan()).toBe(1);
    await until(round.id, 'done');
    expect(await landedPurposes(ground, market)).toEqual(landed);
    await expectBooksMatch(ground, market, held);
  });

  it('from before the collection was planned carries out what is planned beside a sale that had happened', async () => {
    const { db, gate, client } = ground.platform;
    const planning = gate.hold('planRewardPayouts');
    expect(await ground.plan()).toBe(1);
    await planning.reached;
    const { id, mint } = (await ground.newest(market))!;
    const rows = await rewardTransactions.ofRound(db, id);
    expect(rows.filter(({ kind, state }) => kind === 'sale' && state === 'done')).toHaveLength(1);
    const n = 1 + Math.max(...rows.map((row) => row.n));
    await db.insertInto('rewardTransactions').values({ roundId: id, n, mint, kind: 'sale' }).execute();
    await client.workflow.getHandle(rewardRoundWorkflowId(id)).terminate('a restored database');
    planning.release();
    await ground.plan();
    await until(id, 'done');
    const [sale] = (await rewardTransactions.ofRound(db, id)).filter((row) => row.n === n);
    expect(sale?.state).not.toBe('planned');
    const payouts = await db.selectFrom('rewardPayouts').select('state').where('roundId', '=', id).execute();
    expect(payouts.length).toBeGreaterThan(0);
    expect(payouts.every(({ state }) => state === 'paid')).toBe(true);
    await expectBooksMatch(ground, market, held);
  });

  it('from before the payouts were planned finds them paid, and plans no others', async () => {
    const round = await ground.round(market);
    await expectPaidOnce(round);
    const landed = await landedPurposes(ground, market);
    const paid = await paidNow();
    await forget(round, { keepPayouts: false });
    const restoredAt = await ground.platform.connection.getSlot();
    await ground.plan();
    await untilLearned(restoredAt);
    await until(round.id, 'done');
    await expectPaidOnce((await ground.newest(market))!);
    expect(await landedPurposes(ground, market)).toEqual(landed);
    expect(await paidNow()).toEqual(paid);
  });

  it('from before the collection was planned takes a payout for no collection that has the same number', async () => {
    const round = await ground.round(market);
    const landed = await landedPurposes(ground, market);
    const paid = await paidNow();
    await forget(round, { keepPayouts: true });
    const { db } = ground.platform;
    await db.deleteFrom('rewardPayouts').where('roundId', '=', round.id).execute();
    await sql`
      update reward_transactions set kind = 'harvest' where round_id = ${round.id} and kind = 'payout'`.execute(db);
    await db.updateTable('rewardRounds').set({ state: 'collecting' }).where('id', '=', round.id).execute();
    await forgetMovements(db, `reward/${round.id}/%`);
    await ground.plan();
    await until(round.id, 'done');
    await expectPaidOnce((await ground.newest(market))!);
    expect(await landedPurposes(ground, market)).toEqual(landed);
    expect(await paidNow()).toEqual(paid);
  });

  it('from before the round was planned books it from the chain before it plans another', async () => {
    const { db } = ground.platform;
    const [round, funds] = [await ground.round(market), await pot()];
    const paid = await paidNow();
    const rows = db
      .selectFrom('rewardTransactions')
      .select(['n', 'baseRaw', 'quoteRaw', 'paidRaw', 'recipients', 'signature']);
    const booked = await rows.where('roundId', '=', round.id).where('state', '=', 'done').orderBy('n').execute();
    await db.deleteFrom('rewardRounds').where('id', '=', round.id).execute();
    await forgetMovements(db, `reward/${round.id}/%`);
    await market.trade('buy', 50_000_000n);
    await ground.settle(market);
    expect(await ground.plan()).toBe(1);
    expect(await rows.where('roundId', '=', round.id).orderBy('n').execute()).toEqual(booked);
    expect(await pot()).toEqual(funds);
    expect(await paidNow()).toEqual(paid);
    await expectPaidOnce(await ground.round(market));
    expect(await paidNow()).toEqual(paid);
    const next = await ground.round(market);
    expect(next).toMatchObject({ state: 'done', note: null });
    expect(next.id).not.toBe(round.id);
  });
});

/** Slots after which nothing can land any more that a restored ledger may have forgotten. */
const FORGOTTEN_LIVES_SLOTS = 400;

/**
 * Whenever the ledger learns of something that it had forgotten, lets the rest of that die at once: plans wait for it, by the chain's own
 * pace for minutes. Answers what ends this.
 */
function letForgottenDie(): () => Promise<void> {
  const { db, chain } = ground.platform;
  const stopping = new AbortController();
  const watch = async (): Promise<void> => {
    for (let last: bigint | null = null; !stopping.signal.aborted; await sleep(200)) {
      const learned = await laneRows.lastLearnedSlot(db);
      if (learned !== last) chain.control.advanceSlots(FORGOTTEN_LIVES_SLOTS);
      last = learned;
    }
  };
  const watching = watch();
  return async () => {
    stopping.abort();
    await watching;
  };
}

/** Waits until the ledger has met movements on the chain that it did not know. */
async function untilLearned(sinceSlot: number): Promise<void> {
  await eventually(async () => {
    const slot = await laneRows.lastLearnedSlot(ground.platform.db);
    return slot !== null && Number(slot) >= sinceSlot - 40 ? true : null;
  }, 'a ledger that learns what it forgot');
}

const paidNow = () => Promise.all(holders.map(({ publicKey }) => ground.quoteOf(market, publicKey)));

const pot = () =>
  ground.platform.db
    .selectFrom('rewardTransactions')
    .select((eb) => [eb.fn.sum('baseRaw').as('base'), eb.fn.sum('quoteRaw').as('quote')])
    .where('mint', '=', market.mint)
    .executeTakeFirstOrThrow();

/** Takes the books back to before a round's payouts were sent, or planned. */
async function forget({ id, mint }: RewardRound, { keepPayouts }: { readonly keepPayouts: boolean }): Promise<void> {
  const { db } = ground.platform;
  const state = keepPayouts ? 'paying' : 'selling';
  await db.updateTable('rewardRounds').set({ state, endedAt: null }).where('id', '=', id).execute();
  if (!keepPayouts) {
    await db.deleteFrom('rewardTransactions').where('roundId', '=', id).where('kind', '=', 'seal').execute();
    await db.deleteFrom('rewardLeftOutCounts').where('roundId', '=', id).execute();
  }
  const payouts = db
    .selectFrom('rewardTransactions')
    .selectAll()
    .where('roundId', '=', id)
    .where('kind', '=', 'payout');
  for (const { n, paidRaw, valueUsd } of await payouts.execute()) {
    const totals = db.selectFrom('rewardTokens').selectAll().where('mint', '=', mint);
    const { paidRaw: all, transactions, rounds } = await totals.executeTakeFirstOrThrow();
    expect(valueUsd).not.toBeNull();
    await db
      .updateTable('rewardTokens')
      .set({ paidRaw: all - paidRaw, transactions: transactions - 1, rounds: rounds - 1 })
      .where('mint', '=', mint)
      .execute();
    const open = { state: 'planned', signature: null, slot: null, landedAt: null, quoteRaw: 0n, paidRaw: 0n } as const;
    await db.updateTable('rewardTransactions').set(open).where('roundId', '=', id).where('n', '=', n).execute();
    await db.updateTable('rewardPayouts').set({ state: 'planned', paidAt: null }).where('roundId', '=', id).execute();
  }
  if (keepPayouts) return;
  await db.deleteFrom('rewardTransactions').where('roundId', '=', id).where('kind', '=', 'payout').execute();
  await forgetMovements(db, `reward/${id}/%`);
}
