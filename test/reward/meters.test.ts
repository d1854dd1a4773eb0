import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import { createRewardMeters } from '../../worker/reward/meters.ts';
import { launchedToken, rewardFacts } from '../support/launch/launched-token.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

test('rounds without an end are counted, with the age of the oldest and those that fail', async () => {
  const registry = new Registry();
  const later = new Date(Date.now() + 3_600_000);
  const parts = { db: db(), now: () => later, logger: pino({ level: 'silent' }) };
  for (const metric of createRewardMeters(parts)) registry.registerMetric(metric);
  expect(await valuesOf(registry)).toEqual([0, 0, 0]);
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of ids) {
    const { mint } = await launchedToken(db(), rewardFacts(100));
    await rewardRounds.plan(db(), { id, mint, number: 1, openedSlot: 1n, window: { slot: 9, slots: 9 } });
  }
  await rewardRounds.noteProblem(db(), ids[0]!, 'no fresh price');
  await rewardRounds.end(db(), ids[1]!, null);
  const [open, oldest, failing] = await valuesOf(registry);
  expect([open, failing]).toEqual([2, 1]);
  expect(oldest).toBeGreaterThan(3_590);
  expect(oldest).toBeLessThan(3_610);
});

/** Open rounds, age of the oldest in seconds, failing ones. */
async function valuesOf(registry: Registry): Promise<number[]> {
  const page = await registry.metrics();
  const names = ['rounds_open', 'oldest_open_round_seconds', 'rounds_failing'];
  return names.map((name) => Number(new RegExp(`^slipway_reward_${name} (\\S+)$`, 'm').exec(page)?.[1]));
}
