import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BULK_AT_ONCE } from '../../worker/task-queues.ts';
import { CLAIM_JANITOR_ROUND } from '../../workflows/claim/messages.ts';
import { LAUNCH_JANITOR_ROUND } from '../../workflows/launch/messages.ts';
import { GRADUATION_ROUND, type MarketCheckInput, startMarketIndex } from '../../workflows/market/messages.ts';
import type { Round } from '../../workflows/start.ts';
import { ROUNDS_TASK_QUEUE } from '../../workflows/task-queues.ts';
import { address } from '../support/launch/launch-rows.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

/** Lets work begin that nobody takes for dead before half an hour has gone, and waits until it holds a place of the bulk's queue. */
async function holdOnePlace(): Promise<void> {
  const held = platform.gate.hold('checkMarket');
  const input: MarketCheckInput = { mints: [address()], repair: false, acceptGap: false, actor: 'test' };
  const options = { taskQueue: ROUNDS_TASK_QUEUE, workflowId: randomUUID(), args: [input] };
  await platform.client.workflow.start('marketCheck', options);
  await held.reached;
}

/** What a round answers; it fails where nobody takes its work. */
function runSoon({ workflowType, taskQueue }: Round): Promise<unknown> {
  const options = { taskQueue, workflowId: randomUUID(), args: [], workflowExecutionTimeout: '2 minutes' };
  return platform.client.workflow.execute(workflowType, options);
}

it('bulk work that holds every place of its queue keeps neither the index of the market nor janitors waiting', async () => {
  for (let place = 0; place < BULK_AT_ONCE; place++) await holdOnePlace();
  const look = platform.gate.hold('followMarket');
  await startMarketIndex(platform.client);
  for (const round of [LAUNCH_JANITOR_ROUND, CLAIM_JANITOR_ROUND]) expect(await runSoon(round)).toBe(0);
  expect(await runSoon(GRADUATION_ROUND)).toMatchObject({ graduated: 0 });
  await look.reached;
  platform.gate.openAll();
});
