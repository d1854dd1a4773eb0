import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LAUNCH_JANITOR_ROUND, launchWorkflowId } from '../../workflows/launch/messages.ts';
import { landedMemos } from '../support/platform/chain-facts.ts';
import { type Creator, createCreator, type Prepared, signatureIn } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { hurried } from '../support/platform/hurried.ts';
import { type Platform, SLOT_MS, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';
import { untilWorkflowEnded } from '../support/platform/workflow-history.ts';
import { startWorkerProcess } from '../support/platform/worker-process.ts';
import { runRound } from '../support/platform/run-round.ts';

let platform: Platform;
let creator: Creator;
let before: number;
beforeAll(async () => {
  platform = await startPlatform();
});
beforeEach(async () => {
  creator = await createCreator(platform);
  before = await creator.balance();
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

const STEPS = [
  'openLaunch',
  'assembleBundle',
  'simulateBundle',
  'storeMetadata',
  'landBundle',
  'recordLaunch',
  'finalizeLaunch',
];

async function begin() {
  const prepared = await creator.prepare();
  const submission = creator.sign(prepared);
  return { prepared, submission, pending: creator.submit(submission) };
}

async function expectFinalized(prepared: Prepared): Promise<void> {
  await untilState(platform, prepared, 'finalized');
  await expectLaunchedOnce(platform, creator, prepared, before);
}

describe('a worker that did a step and died before it could say so', () => {
  it.each(STEPS)('%s is done again and changes nothing: one launch, one charge', async (step) => {
    platform.gate.loseAnswer(step);
    const { prepared, pending } = await begin();
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
    await expectFinalized(prepared);
    await untilWorkflowEnded(platform, prepared);
    expect(platform.gate.calls(step, prepared.quoteId)).toBe(2);
  });
});

describe('a worker that stops just before a step', () => {
  it.each(STEPS)('%s: the launch goes on after a restart, once', async (step) => {
    const held = platform.gate.hold(step);
    const { prepared, pending } = await begin();
    await held.reached;
    // The time until the restart must not decide whether the quote is still good.
    platform.chain.control.setSlotMs(0);
    await platform.worker.stop();
    await platform.worker.start();
    platform.chain.control.setSlotMs(SLOT_MS);
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
    await expectFinalized(prepared);
  });
});

describe('a worker process that is killed while only the payment has landed', () => {
  it('is followed by one that finishes the launch, with the same payment', async () => {
    await platform.worker.stop();
    const first = await startWorkerProcess(platform);
    platform.engine.setFault({ fault: 'prefix', prefixLength: 1, once: true });
    const { prepared, submission, pending } = await begin();
    await eventually(async () => (await landedMemos(platform, prepared)).length === 1 || null);
    await first.kill();
    platform.engine.setFault({ fault: 'none' });
    const second = await startWorkerProcess(platform);
    await pending;
    await expectFinalized(prepared);
    expect(await creator.status(signatureIn(submission.signedTransaction))).toMatchObject({
      http: 200,
      data: { status: 'completed', mint: prepared.mint },
    });
    await second.kill();
    await platform.worker.start();
  });
});

describe('a launch whose workflow is gone', () => {
  it('gets a new one from the submit that waits for it, and is finished once', async () => {
    const held = platform.gate.hold('landBundle');
    const { prepared, pending } = await begin();
    await held.reached;
    await platform.worker.stop();
    await platform.client.workflow.getHandle(launchWorkflowId(prepared.quoteId)).terminate('lost');
    await platform.worker.start();
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed' } });
    await expectFinalized(prepared);
  });

  it('gets a new one from the janitor where nobody waits any more, and is finished by it, once', async () => {
    creator = await createCreator(await hurried(platform, 5));
    before = await creator.balance();
    const held = platform.gate.hold('landBundle');
    const { prepared, submission, pending } = await begin();
    await held.reached;
    // What follows takes its time on a slow machine, and must not decide whether the quote is still good.
    platform.chain.control.setSlotMs(0);
    await platform.worker.stop();
    expect(await pending).toMatchObject({ http: 200, data: { status: 'processing' } });
    await platform.client.workflow.getHandle(launchWorkflowId(prepared.quoteId)).terminate('lost');
    await platform.worker.start();
    await makeOld(prepared);
    await runRound(platform, LAUNCH_JANITOR_ROUND);
    platform.calm();
    await expectFinalized(prepared);
    expect(await creator.submit(submission)).toMatchObject({ http: 200, data: { status: 'completed' } });
  });
});

/** Lets a launch look as if nothing had touched it for a minute. */
async function makeOld({ quoteId }: Prepared): Promise<void> {
  await platform.db
    .updateTable('launches')
    .set({ updatedAt: new Date(Date.now() - 60_000) as never })
    .where('quoteId', '=', quoteId)
    .execute();
}
