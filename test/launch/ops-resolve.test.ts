import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import * as auditLog from '../../db/platform/audit-log.ts';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { type Creator, createCreator, type Prepared } from '../support/platform/creator.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { parkAfterPrefix } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';
import { ops } from '../support/ops/ops-run.ts';

let platform: Platform;
let creator: Creator;
let before: number;
let env: Record<string, string>;

beforeAll(async () => {
  platform = await startPlatform({ landing: { resumeTries: 1 }, variables: { SUBMIT_WAIT_SECONDS: '1' } });
  env = {
    DATABASE_URL: String(platform.variables['DATABASE_URL']),
    TEMPORAL_ADDRESS: platform.temporal.address,
    TEMPORAL_NAMESPACE: platform.temporal.namespace,
  };
});
beforeEach(async () => {
  creator = await createCreator(platform);
  before = await creator.balance();
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

/** A launch of which only payment and mint landed, parked because its rest died; the block engine is well again. */
async function parkedLaunch(): Promise<Prepared> {
  const { prepared, pending } = await parkAfterPrefix(platform, creator, 2);
  platform.engine.setFault({ fault: 'none' });
  await pending;
  return prepared;
}

const resolve = ({ quoteId }: Prepared, action: string, parking = 1, ...more: string[]) => {
  const decision = [action, '--parking', String(parking), '--note', 'looked at the chain', '--actor', 'ada', '--yes'];
  return ops(env, ['launches', 'resolve', quoteId, ...decision, ...more]);
};

const audited = async ({ quoteId }: Prepared) =>
  (await auditLog.ofSubject(platform.db, `launch/${quoteId}`)).map(({ actor, action, note }) => {
    return `${actor}: ${action}: ${note}`;
  });

it('resume finishes a parked launch, also when its workflow is gone, and says where it stands', async () => {
  const prepared = await parkedLaunch();
  await platform.client.workflow.getHandle(launchWorkflowId(prepared.quoteId)).terminate('lost');
  const run = await resolve(prepared, 'resume', 1, '--json');
  expect([run.status, run.message]).toEqual([0, undefined]);
  expect(JSON.parse(run.printed)).toMatchObject({
    action: 'resume',
    carriedOut: true,
    launch: { quoteId: prepared.quoteId, state: expect.stringMatching(/completed|finalized/) as string },
  });
  await untilState(platform, prepared, 'finalized');
  await expectLaunchedOnce(platform, creator, prepared, before);
  expect(await audited(prepared)).toEqual(['ada: launch.resume: looked at the chain']);
  expect(await resolve(prepared, 'refund')).toMatchObject({
    status: 1,
    message: expect.stringMatching(/is finalized; only one in needs_recovery/) as string,
  });
});

it('record of a launch without a pool is refused and leaves it parked; refund then gives everything back', async () => {
  const prepared = await parkedLaunch();
  const refused = await resolve(prepared, 'record');
  expect(refused.status).toBe(1);
  expect(refused.message).toMatch(/is parked again: record was refused: the chain shows no pool/);
  expect((await ops(env, 'launches stuck')).printed).toContain(prepared.quoteId);
  // Of the first parking, whose reason is not that of the second.
  expect(await resolve(prepared, 'refund', 1)).toMatchObject({
    status: 1,
    message: expect.stringMatching(/it is about parking 1 of the launch, which is at parking 2: record was/) as string,
  });
  const refunded = await resolve(prepared, 'refund', 2);
  expect([refunded.status, refunded.message]).toEqual([0, undefined]);
  expect(refunded.printed).toContain('now refunded');
  expect(await creator.balance()).toBe(before);
  expect(await audited(prepared)).toEqual([
    'ada: launch.refund: looked at the chain',
    'ada: launch.record: looked at the chain',
  ]);
  expect((await ops(env, `launches show ${prepared.quoteId}`)).printed).toMatch(/refund +1 +finalized/);
});

it('without a worker nothing is decided, and the operator is told so', async () => {
  const prepared = await parkedLaunch();
  await platform.worker.stop();
  const run = await resolve(prepared, 'resume');
  await platform.worker.start();
  expect(run).toMatchObject({
    status: 1,
    printed: '',
    message: expect.stringContaining('no worker answers') as string,
  });
  expect(await audited(prepared)).toEqual([]);
  await untilState(platform, prepared, 'needs_recovery');
});
