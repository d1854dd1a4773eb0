import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { isDependencyDown } from '../../../api/plugins/dependency-errors.ts';
import { eventually, WAIT_MS } from '../../support/platform/eventually.ts';
import { runRound } from '../../support/platform/run-round.ts';
import { trigger } from '../chaos/processes/kill-at.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import type { Tell } from './progress.ts';
import { BUYBACK_ROUND } from '../../../workflows/buyback/messages.ts';
import { CLAIM_JANITOR_ROUND } from '../../../workflows/claim/messages.ts';
import { FEE_SWEEP_ROUND } from '../../../workflows/fee-sweep/messages.ts';
import { LAUNCH_JANITOR_ROUND, LAUNCH_WALLETS_ROUND } from '../../../workflows/launch/messages.ts';
import { GRADUATION_ROUND } from '../../../workflows/market/messages.ts';
import { RECONCILE_ROUND } from '../../../workflows/money/messages.ts';
import { RESTOCK_ROUND } from '../../../workflows/restock/messages.ts';
import { hasSchedule } from '../../../worker/namespace-keeper.ts';
import { REWARD_ROUNDS, startRewardRound } from '../../../workflows/reward/messages.ts';

/** Rounds that begin something new. */
export const PLANNING = [REWARD_ROUNDS, FEE_SWEEP_ROUND, BUYBACK_ROUND, RESTOCK_ROUND];

/** Rounds that go on with what is open, and look at it. */
export const TENDING = [
  LAUNCH_JANITOR_ROUND,
  LAUNCH_WALLETS_ROUND,
  CLAIM_JANITOR_ROUND,
  GRADUATION_ROUND,
  RECONCILE_ROUND,
];

/** Has all of these rounds begin; one whose last run still works is passed over. */
export async function triggerAll(stack: RealStack, rounds: typeof PLANNING): Promise<void> {
  await Promise.all(rounds.map((round) => trigger(stack, round)));
}

/** How often reward rounds are planned while everything comes to rest. */
const REWARD_PLANS = 3;

/** From one trigger of the rounds to the next, in ms. */
const ROUNDS_EVERY_MS = 3_000;

/** From one word about what is open to the next, in ms. */
const TELL_EVERY_MS = 60_000;

/** Pace of the chain while nothing but the end is waited for, in ms per slot. */
const REST_SLOT_MS = 25;

/** What is on its way, by what it is; a purchase that the market does not allow at present moves nothing, unless its swap was sent before. */
export async function openWork({ db }: RealStack): Promise<Record<string, number>> {
  const { rows } = await sql<{ what: string; count: number }>`
    select what, count(*)::int from (
      select 'launches' as what from launches where state not in ('finalized', 'refunded', 'not_landed')
      union all select 'wallets to empty' from launches where state = 'finalized' and emptied_at is null
      union all select 'airdrops' from airdrops where delivered_at is null
      union all select 'claims' from claim_intents where state not in ('finalized', 'not_landed', 'refused', 'expired')
      union all select 'reward rounds' from reward_rounds where state <> 'done'
      union all select 'sweeps' from fee_sweeps where state <> 'done'
      union all select 'purchases' from buyback_rounds where state = 'bought' or (state = 'planned' and (problem is null
        or exists (select from lane_steps where purpose = 'buyback/' || buyback_rounds.id || '/swap' and state = 'done')))
      union all select 'restocks' from restock_rounds where state = 'open'
      union all select 'movements' from lane_steps where state = 'open'
    ) as open group by what`.execute(db);
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}

/** Has all that is open go on until nothing is, and nothing begins any more. */
export async function comeToRest(stack: RealStack, tell: Tell): Promise<void> {
  await stack.control('setSlotMs', { slotMs: REST_SLOT_MS });
  await untilScheduled(stack, [...PLANNING, ...TENDING]);
  // The planners also start again what lost its workflow. What reward rounds sell brings new rewards, so they are not asked for ever.
  for (let time = 0; time < REWARD_PLANS; time++) {
    await answered(() => triggerAll(stack, [REWARD_ROUNDS]));
    await untilPlanned(stack, [REWARD_ROUNDS]);
  }
  await answered(() => pause(stack, [REWARD_ROUNDS]));
  await untilNothingIsOpen(stack, [...PLANNING.filter((round) => round !== REWARD_ROUNDS), ...TENDING], tell);
  await answered(() => pause(stack, PLANNING));
  await untilPlanned(stack, PLANNING);
  await untilNothingIsOpen(stack, TENDING, tell);
}

/** Asks until Temporal answers: just after a strike a busy machine leaves it no time for that. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  const { value } = await eventually(async () => {
    try {
      return { value: await ask() };
    } catch (error) {
      if (isDependencyDown(error)) return null;
      throw error;
    }
  }, 'an answer of Temporal');
  return value;
}

/** Temporal may have come back empty a moment ago; then the worker is about to put the schedules back. */
async function untilScheduled({ temporal }: RealStack, rounds: typeof PLANNING): Promise<void> {
  await eventually(async () => {
    const found = await answered(() => Promise.all(rounds.map(({ scheduleId }) => hasSchedule(temporal, scheduleId))));
    return found.every(Boolean) || null;
  }, 'the schedules of all rounds');
}

/** Ends when nothing is open. Fails once nothing has been booked for `WAIT_MS`: much work takes long, and goes on. */
async function untilNothingIsOpen(stack: RealStack, rounds: typeof PLANNING, tell: Tell): Promise<void> {
  for (let [asked, told, seen, changedAt] = [0, 0, '', Date.now()]; ; await sleep(500)) {
    const open = await openWork(stack);
    if (Object.keys(open).length === 0) return;
    const state = `${JSON.stringify(open)}, ${await bookedSteps(stack)} movements booked`;
    if (state !== seen) [seen, changedAt] = [state, Date.now()];
    if (Date.now() - changedAt > WAIT_MS)
      throw new Error(`nothing was booked for ${WAIT_MS} ms, and there are open: ${state}`);
    if (Date.now() - told > TELL_EVERY_MS) {
      told = Date.now();
      tell(`open: ${state}`);
    }
    if (Date.now() - asked <= ROUNDS_EVERY_MS) continue;
    asked = Date.now();
    await makeDue(stack);
    await answered(() => triggerAll(stack, rounds));
    await answered(() => continueRewards(stack));
  }
}

async function bookedSteps({ db }: RealStack): Promise<number> {
  const done = db.selectFrom('laneSteps').select(({ fn }) => fn.countAll<number>().as('count'));
  return Number((await done.where('state', '=', 'done').executeTakeFirstOrThrow()).count);
}

async function pause({ temporal }: RealStack, rounds: typeof PLANNING): Promise<void> {
  await Promise.all(rounds.map(({ scheduleId }) => temporal.schedule.getHandle(scheduleId).pause()));
}

/** Waits until no run of these rounds is under way. */
async function untilPlanned({ temporal }: RealStack, rounds: typeof PLANNING): Promise<void> {
  const described = () =>
    Promise.all(rounds.map(({ scheduleId }) => temporal.schedule.getHandle(scheduleId).describe()));
  const running = async () =>
    (await answered(described)).reduce((sum, { info }) => sum + info.runningActions.length, 0);
  await eventually(async () => (await running()) === 0 || null, 'the end of all planning');
}

/** What `ops rewards retry` does: a workflow that knows more than a restored database fails, and its planner is paused. */
async function continueRewards({ db, temporal }: RealStack): Promise<void> {
  const open = await db.selectFrom('rewardRounds').select('id').where('state', '<>', 'done').execute();
  await Promise.all(open.map(({ id }) => startRewardRound(temporal, id)));
}

/**
 * What `ops fee-sweeps retry` does: a sweep that met a trade in its pool waits half an hour for its next try. A launch
 * that was taken in while the database's clock was ahead waits as long to have its wallet emptied.
 */
async function makeDue({ db }: RealStack): Promise<void> {
  const open = db.updateTable('feeSweeps').where('state', '<>', 'done');
  await open.set({ dueAt: new Date() }).execute();
  const unemptied = db.updateTable('launches').where('state', '=', 'finalized').where('emptiedAt', 'is', null);
  await unemptied.set({ emptyAfter: new Date() }).execute();
}

/** Has the platform itself compare its books with the chain; answers what it found, in words. */
export async function findings({ temporal, db }: RealStack): Promise<string[]> {
  await runRound({ client: temporal }, RECONCILE_ROUND);
  const found = await db.selectFrom('bookFindings').selectAll().execute();
  return found.map(({ kind, subject, books, chain }) => `${kind} ${subject}: books ${books}, chain ${chain}`);
}
