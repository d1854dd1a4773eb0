import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createCreator } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { parkAfterPrefix } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { resolve } from '../support/platform/resolve.ts';
import { untilState } from '../support/platform/until-state.ts';
import { PARKED_QUERY, startLaunch } from '../../workflows/launch/messages.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

async function parkedRuns(query: string): Promise<string[]> {
  const runs: string[] = [];
  for await (const { status } of platform.client.workflow.list({ query })) runs.push(status.name);
  return runs;
}

it('a parked launch whose run is cancelled does not look parked in that run, and waits in the next one', async () => {
  const creator = await createCreator(platform);
  const { prepared } = await parkAfterPrefix(platform, creator, 1);
  const id = `WorkflowId="launch-${prepared.quoteId}"`;
  const handle = platform.client.workflow.getHandle(`launch-${prepared.quoteId}`);
  await eventually(async () => (await parkedRuns(`${PARKED_QUERY} AND ${id}`)).length === 1 || null);
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
  await eventually(async () => (await parkedRuns(`LaunchState="needs_recovery" AND ${id}`)).length === 0 || null);
  expect(await parkedRuns(id)).toEqual(['CANCELLED']);

  await startLaunch(platform.client, prepared.quoteId);
  await eventually(async () => (await parkedRuns(`${PARKED_QUERY} AND ${id}`)).length === 1 || null);
  await resolve(platform, prepared, 'refund');
  await untilState(platform, prepared, 'refunded');
});
