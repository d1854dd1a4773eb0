import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import { createRewardMeters } from '../../worker/reward/meters.ts';
import { launchedToken, rewardFacts } from '../support/launch/launched-token.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

test('rounds without an end are counted, and those that fail', async () => {
  const registry = new Registry();
  const parts = { db: db(), logger: pino({ level: 'silent' }) };
  for (const metric of createRewardMeters(parts)) registry.registerMetric(metric);
  expect(await valuesOf(registry)).toEqual([0, 0]);
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of ids) {
    const { mint } = await launchedToken(db(), rewardFacts(100));
    await rewardRounds.plan(db(), { id, mint, number: 1, openedSlot: 1n, window: { slot: 9, slots: 9 } });
  }
  await rewardRounds.noteProblem(db(), ids[0]!, 'no fresh price');
  await rewardRounds.end(db(), ids[1]!, null);
  const [open, failing] = await valuesOf(registry);
  expect([open, failing]).toEqual([2, 1]);
});

/** Open rounds, failing ones. */
async function valuesOf(registry: Registry): Promise<number[]> {
  const page = await registry.metrics();
  const names = ['rounds_open', 'rounds_failing'];
  return names.map((name) => Number(new RegExp(`^slipway_reward_${name} (\\S+)$`, 'm').exec(page)?.[1]));
}
