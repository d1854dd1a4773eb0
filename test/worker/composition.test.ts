import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { activitiesOf } from '../../worker/composition.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { recordedHistories } from '../support/replay-histories.ts';
import { type UnconnectedWorker, unconnectedWorker } from '../support/worker/unconnected.ts';

const { db } = useDatabase();
let worker: UnconnectedWorker;
beforeAll(async () => {
  worker = await unconnectedWorker(db());
});
afterAll(() => worker.close());

/** Names of the activities that a recorded run asked for. */
function askedFor(history: unknown): string[] {
  return [...JSON.stringify(history).matchAll(/"activityType":\{"name":"([^"]+)"/g)].map(([, name]) => name!);
}

it('the worker has every activity that a recorded run of a workflow asked for', () => {
  const names = new Set(recordedHistories().flatMap(({ read }) => askedFor(read())));
  expect(names.size).toBeGreaterThan(30);
  expect(Object.keys(activitiesOf(worker.shared))).toEqual(expect.arrayContaining([...names]));
});

it('two rows with an activity of one name are refused', () => {
  const row = (answer: number) => ({ activities: () => ({ count: () => Promise.resolve(answer) }) });
  expect(() => activitiesOf(worker.shared, [row(1), row(2)])).toThrow('two rows have an activity of the name count');
});

it('the meters of all processes fit on one page and can be read', async () => {
  const registry = new Registry();
  for (const meter of worker.meters) registry.registerMetric(meter);
  const page = await registry.metrics();
  for (const name of ['launches', 'airdrops_open', 'open_fee_sweeps', 'open_buybacks', 'reward_rounds_open']) {
    expect(page).toMatch(new RegExp(`^slipway_${name}(\\{.*\\})? 0$`, 'm'));
  }
});
