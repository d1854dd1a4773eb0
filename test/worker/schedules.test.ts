import { Client, Connection, ScheduleOverlapPolicy } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScheduleRow, SCHEDULES, schedulesWith, upsertSchedules } from '../../worker/schedules.ts';
import * as workflows from '../../workflows/index.ts';
import { createTestTemporal, type TestTemporal } from '../setup/temporal.ts';

let temporal: TestTemporal;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  temporal = await createTestTemporal();
  connection = await Connection.connect({ address: temporal.address });
  client = new Client({ connection });
});
afterAll(() => connection.close());

const row = (name: string, changes: Partial<ScheduleRow> = {}): ScheduleRow => ({
  id: temporal.unique(name),
  workflowType: 'steps',
  taskQueue: 'rounds',
  spec: { intervals: [{ every: '1 hour' }] },
  catchupWindowMs: 60_000,
  args: [1],
  ...changes,
});

describe('schedules', () => {
  it('are created, and a second start changes nothing', async () => {
    const hourly = row('created');
    await upsertSchedules(client, [hourly]);
    await upsertSchedules(client, [hourly]);
    const { spec, action, policies } = await client.schedule.getHandle(hourly.id).describe();
    expect(spec.intervals).toMatchObject([{ every: 3_600_000 }]);
    expect(action).toMatchObject({ workflowType: 'steps', taskQueue: 'rounds', workflowId: hourly.id, args: [1] });
    expect(policies).toMatchObject({ overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 60_000 });
  });

  it('follow the table when it changes', async () => {
    const hourly = row('changed');
    await upsertSchedules(client, [hourly]);
    await upsertSchedules(client, [{ ...hourly, spec: { intervals: [{ every: '5 minutes' }] }, args: [2] }]);
    const { spec, action } = await client.schedule.getHandle(hourly.id).describe();
    expect(spec.intervals).toMatchObject([{ every: 300_000 }]);
    expect(action.args).toEqual([2]);
  });

  it('stay paused when an operator paused them', async () => {
    const hourly = row('paused');
    await upsertSchedules(client, [hourly]);
    await client.schedule.getHandle(hourly.id).pause('market closed');
    await upsertSchedules(client, [hourly]);
    const { state } = await client.schedule.getHandle(hourly.id).describe();
    expect(state).toMatchObject({ paused: true, note: 'market closed' });
  });

  it('that the table does not know are left alone', async () => {
    const [known, unknown] = [row('known'), row('unknown')];
    await upsertSchedules(client, [unknown]);
    await upsertSchedules(client, [known]);
    await expect(client.schedule.getHandle(unknown.id).describe()).resolves.toMatchObject({ scheduleId: unknown.id });
  });

  it('run as often as the deployment says, the others as usual', () => {
    const rows = schedulesWith({ 'reward-round': 300_000 });
    expect(rows.find(({ id }) => id === 'reward-round')?.spec).toEqual({ intervals: [{ every: 300_000 }] });
    expect(rows.filter(({ id }) => id !== 'reward-round')).toEqual(SCHEDULES.filter(({ id }) => id !== 'reward-round'));
  });

  it('of this version start only workflows that exist, each under its own id', () => {
    for (const { workflowType } of SCHEDULES) expect(Object.keys(workflows)).toContain(workflowType);
    expect(new Set(SCHEDULES.map(({ id }) => id)).size).toBe(SCHEDULES.length);
  });
});
