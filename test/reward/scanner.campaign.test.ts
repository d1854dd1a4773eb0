import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiInstance } from '../../api/instance.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import type { Market } from '../support/claim/claim-market.ts';
import { startApi } from '../support/platform/api.ts';
import { eventually } from '../support/platform/eventually.ts';
import { startWorkerProcess } from '../support/platform/worker-process.ts';
import { expectBooksMatch } from '../support/reward/books.ts';
import {
  type HeldMarket,
  launchHeldMarket,
  type RewardFixture,
  startRewardFixture,
  untilDone,
} from '../support/reward/reward-platform.ts';
import { createScanner, receivedIn } from '../support/reward/scanner.ts';

const ROUNDS = 10;

/** Rounds in which the worker is killed, by what it is killed before or at. */
const KILLS: ReadonlyMap<number, 'observeRewardHolders' | 'planRewardPayouts' | 'on its way'> = new Map([
  [2, 'observeRewardHolders'],
  [5, 'planRewardPayouts'],
  [8, 'on its way'],
]);

let ground: RewardFixture;
let market: Market;
let held: HeldMarket['held'];
beforeAll(async () => {
  ground = await startRewardFixture({ REWARD_SNAPSHOT_WINDOW_SLOTS: '3', REWARD_SALE_WINDOW_SECONDS: '0' });
  ({ market, held } = await launchHeldMarket(ground));
});
afterAll(() => ground.close());

/** An API of its own for a pass: the one before was ended, with all that it kept in memory. */
async function withFreshApi(use: (api: ApiInstance) => Promise<void>): Promise<void> {
  const api = await startApi(ground.platform.variables, ground.platform.log);
  try {
    await use(api);
  } finally {
    await api.close();
  }
}

/** A round in which the worker process is killed once payouts are on their way, and another one ends it. */
async function killedOnItsWay(): Promise<RewardRound> {
  const { platform } = ground;
  const gate = platform.gate.hold('payRewards');
  await ground.plan();
  await gate.reached;
  await platform.worker.stop();
  platform.chain.control.dropTransactions(1_000_000);
  const first = await startWorkerProcess(platform);
  await eventually(async () => {
    const rows = platform.db.selectFrom('chainTransactions').select('purpose').where('status', '=', 'broadcasting');
    return (await rows.execute()).find(({ purpose }) => purpose.startsWith('reward/')) ?? null;
  }, 'a payout on its way');
  await first.kill();
  platform.chain.control.clear();
  const second = await startWorkerProcess(platform);
  const round = await untilDone(platform, market);
  await second.kill();
  await platform.worker.start();
  return round;
}

/** A round whose worker stops just before a step, and another one goes on. */
async function stoppedBefore(step: string): Promise<RewardRound> {
  const gate = ground.platform.gate.hold(step);
  await ground.plan();
  await gate.reached;
  await ground.platform.worker.stop();
  await ground.platform.worker.start();
  return untilDone(ground.platform, market);
}

async function play(number: number): Promise<RewardRound> {
  await market.trade('buy', 50_000_000n);
  await ground.settle(market);
  const kill = KILLS.get(number);
  if (kill === undefined) return ground.round(market);
  return kill === 'on its way' ? killedOnItsWay() : stoppedBefore(kill);
}

/** What the record is read from, as a text that differs after every write: each row with the transaction that wrote it. */
async function versions(): Promise<string> {
  const { rows } = await sql<{ versions: string }>`
    select concat_ws(' ',
      (select string_agg(xmin::text, ',' order by ctid) from reward_transactions),
      (select string_agg(xmin::text, ',' order by ctid) from reward_payouts),
      (select string_agg(xmin::text, ',' order by ctid) from reward_rounds),
      (select string_agg(xmin::text, ',' order by ctid) from reward_tokens),
      (select string_agg(xmin::text, ',' order by ctid) from launches)) as versions`.execute(ground.platform.db);
  return rows[0]?.versions ?? '';
}

/** The longest without a pass, ms: what is read has other sources too, such as prices. */
const PASS_EVERY_MS = 1_000;

/** Resolves once something was written since `seen`, or the play has ended, or it is time for a pass in any case. */
async function untilWritten(seen: string, play: { readonly done: boolean }): Promise<void> {
  const until = Date.now() + PASS_EVERY_MS;
  while (!play.done && Date.now() < until && (await versions()) === seen) await sleep(40);
}

test(
  'a scanner that archives every page over ten rounds finds no row changed, none twice, and each sum on the chain',
  { timeout: 900_000 },
  async () => {
    const scanner = createScanner();
    for (let number = 1; number <= ROUNDS; number += 1) {
      const ended: { done: boolean } = { done: false };
      const playing = play(number).finally(() => (ended.done = true));
      // While the round goes on as well: a row must not show before it is as it stays.
      while (!ended.done) {
        const seen = await versions();
        await withFreshApi((api) => scanner.pass(api));
        await untilWritten(seen, ended);
      }
      expect(await playing).toMatchObject({ state: 'done', note: null });
      if (number === ROUNDS / 2) await ground.launch();
      await withFreshApi((api) => scanner.pass(api));
    }
    expect([scanner.payouts.size >= ROUNDS, scanner.launches.size]).toEqual([true, 2]);
    for (const row of scanner.payouts.values()) {
      const { raw, accounts } = await receivedIn(ground.platform.connection, row);
      expect([row.signature, row.amountRaw, row.holderCount]).toEqual([row.signature, String(raw), accounts]);
    }
    await expectBooksMatch(ground, market, held);
  },
);
