import { Client, Connection, ScheduleOverlapPolicy } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { triggerRound } from '../../ops/trigger-round.ts';
import { readWorkerConfig } from '../../config/worker.ts';
import { type Schedule, schedulesOf, upsertSchedules } from '../../worker/schedules.ts';
import * as workflows from '../../workflows/index.ts';
import { WORKER_VARIABLES } from '../support/variables.ts';
import { createTestTemporal, type TestTemporal } from '../setup/temporal.ts';
import { DEFAULT_SCHEDULES } from '../support/worker/default-schedules.ts';

let temporal: TestTemporal;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  temporal = await createTestTemporal();
  connection = await Connection.connect({ address: temporal.address });
  client = new Client({ connection });
});
afterAll(() => connection.close());

const hourly = (name: string): Schedule => ({
  scheduleId: temporal.unique(name),
  workflowType: 'steps',
  taskQueue: 'rounds',
  everySeconds: 3_600,
  offsetSeconds: 0,
  jitterSeconds: 0,
  catchupSeconds: 60,
});

/** A round at a random moment of its whole interval stays so. */
const wholeJitter = ({ everySeconds, jitterSeconds }: Schedule, seconds: number) =>
  jitterSeconds === everySeconds ? { jitterSeconds: seconds } : {};

const describeSchedule = ({ scheduleId }: Schedule) => client.schedule.getHandle(scheduleId).describe();

describe('schedules', () => {
  it('are created, and a second start changes nothing', async () => {
    const schedule = hourly('created');
    await upsertSchedules(client, [schedule]);
    await upsertSchedules(client, [schedule]);
    const { spec, action, policies } = await describeSchedule(schedule);
    expect(spec.intervals).toMatchObject([{ every: 3_600_000 }]);
    expect(action).toMatchObject({ workflowType: 'steps', taskQueue: 'rounds', workflowId: schedule.scheduleId });
    expect(policies).toMatchObject({ overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 60_000 });
  });

  it('follow the table when it changes', async () => {
    const schedule = hourly('changed');
    await upsertSchedules(client, [schedule]);
    await upsertSchedules(client, [{ ...schedule, everySeconds: 300, offsetSeconds: 60, jitterSeconds: 30 }]);
    const { spec } = await describeSchedule(schedule);
    expect(spec).toMatchObject({ intervals: [{ every: 300_000, offset: 60_000 }], jitter: 30_000 });
  });

  it('stay paused when an operator paused them', async () => {
    const schedule = hourly('paused');
    await upsertSchedules(client, [schedule]);
    await client.schedule.getHandle(schedule.scheduleId).pause('market closed');
    await upsertSchedules(client, [schedule]);
    expect((await describeSchedule(schedule)).state).toMatchObject({ paused: true, note: 'market closed' });
  });

  it('of which a run works start no other one, however often an operator asks', async () => {
    const schedule = hourly('asked');
    await upsertSchedules(client, [schedule]);
    const asked = async () => {
      await triggerRound(client, schedule);
      return (await describeSchedule(schedule)).info;
    };
    await expect.poll(async () => (await asked()).runningActions.length).toBe(1);
    await expect.poll(async () => (await asked()).numActionsSkippedOverlap).toBeGreaterThan(0);
    expect((await describeSchedule(schedule)).info.numActionsTaken).toBe(1);
  });

  it('that the table does not know are left alone', async () => {
    const [known, unknown] = [hourly('known'), hourly('unknown')];
    await upsertSchedules(client, [unknown]);
    await upsertSchedules(client, [known]);
    await expect(describeSchedule(unknown)).resolves.toMatchObject({ scheduleId: unknown.scheduleId });
  });

  it('run as often as usual where a deployment says nothing', () => {
    const cadences = DEFAULT_SCHEDULES.map(({ scheduleId, everySeconds }) => [scheduleId, everySeconds]);
    expect(Object.fromEntries(cadences), 'a new schedule is named here and in the table below').toEqual({
      'launch-janitor': 30,
      'launch-wallets': 60,
      'claim-janitor': 30,
      graduation: 60,
      'holder-count': 60,
      restock: 600,
      'fee-sweep': 3_600,
      buyback: 21_600,
      'reward-round': 3_600,
      'sealed-log': 3_600,
      reconcile: 300,
    });
    expect(DEFAULT_SCHEDULES.filter(({ jitterSeconds }) => jitterSeconds > 0)).toMatchObject([
      { scheduleId: 'graduation', jitterSeconds: 60 },
      { scheduleId: 'buyback', jitterSeconds: 3_600 },
    ]);
    expect(DEFAULT_SCHEDULES.filter(({ offsetSeconds }) => offsetSeconds > 0)).toMatchObject([
      { scheduleId: 'sealed-log', offsetSeconds: 300 },
    ]);
  });

  it.each([
    ['launch-janitor', 'LAUNCH_JANITOR_EVERY_SECONDS'],
    ['launch-wallets', 'LAUNCH_WALLETS_EVERY_SECONDS'],
    ['claim-janitor', 'CLAIM_JANITOR_EVERY_SECONDS'],
    ['graduation', 'GRADUATION_EVERY_SECONDS'],
    ['holder-count', 'HOLDER_COUNT_EVERY_SECONDS'],
    ['restock', 'RESTOCK_EVERY_SECONDS'],
    ['fee-sweep', 'FEE_SWEEP_EVERY_SECONDS'],
    ['buyback', 'BUYBACK_EVERY_SECONDS'],
    ['reward-round', 'REWARD_ROUND_EVERY_SECONDS'],
  ])('of %s runs as often as %s says, the others as usual', (scheduleId, variable) => {
    const schedules = schedulesOf(readWorkerConfig({ ...WORKER_VARIABLES, [variable]: '7' }));
    const changed = DEFAULT_SCHEDULES.map((usual) =>
      usual.scheduleId === scheduleId ? { ...usual, everySeconds: 7, ...wholeJitter(usual, 7) } : usual,
    );
    expect(schedules).toEqual(changed);
  });

  it('of this version start only workflows that exist, each under its own id', () => {
    for (const { workflowType } of DEFAULT_SCHEDULES) expect(Object.keys(workflows)).toContain(workflowType);
    expect(new Set(DEFAULT_SCHEDULES.map(({ scheduleId }) => scheduleId)).size).toBe(DEFAULT_SCHEDULES.length);
  });
});
