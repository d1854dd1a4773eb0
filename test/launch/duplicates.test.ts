import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as switches from '../../db/platform/switches.ts';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { paymentOf } from '../support/platform/chain-facts.ts';
import { type Answer, createCreator, signatureIn } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { signedAnew } from '../support/platform/second-signature.ts';
import { untilState } from '../support/platform/until-state.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => setLaunching('on'));
afterAll(() => platform.close());

const setLaunching = (value: 'on' | 'off') =>
  switches.set(platform.db, 'launching', value, { actor: 'test', note: 'switched by a test' });

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** The different answers among many. */
const different = (answers: readonly Answer[]): string[] => [
  ...new Set(answers.map((answer) => JSON.stringify(answer))),
];

describe('one quote, submitted twenty times at once', () => {
  it('is one launch, one charge and one answer', async () => {
    const creator = await createCreator(platform);
    const before = await creator.balance();
    const prepared = await creator.prepare();
    const submission = creator.sign(prepared);
    const answers = await times(20, () => creator.submit(submission));
    expect(different(answers)).toHaveLength(1);
    expect(answers[0]).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
    await expectLaunchedOnce(platform, creator, prepared, before);
  });

  it('is waited for once: a workflow takes only so many updates, and all of them stay in its history', async () => {
    const creator = await createCreator(platform);
    const prepared = await creator.prepare();
    const submission = creator.sign(prepared);
    const held = platform.gate.hold('landBundle');
    const answers = times(20, () => creator.submit(submission));
    await held.reached;
    // The launch stands still until every one of them waits for it.
    const isIntake = (line: string) => line.includes('"launch submitted"') && line.includes(prepared.quoteId);
    await eventually(async () => platform.log.lines.filter(isIntake).length === 20 || null);
    const workflowId = launchWorkflowId(prepared.quoteId);
    const { runId } = await platform.client.workflow.getHandle(workflowId).describe();
    held.release();
    await answers;
    // Of the run that they waited for: one whose wait was not taken begins another.
    const { events } = await platform.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const waits = (events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
    expect(waits).toHaveLength(1);
  });

  it('is one launch, one charge and one answer when it was signed into two different valid signatures', async () => {
    const creator = await createCreator(platform);
    const before = await creator.balance();
    const prepared = await creator.prepare();
    const usual = creator.sign(prepared);
    const other = { ...usual, signedTransaction: signedAnew(prepared.paymentTransaction, creator.keypair) };
    expect(signatureIn(other.signedTransaction)).not.toBe(signatureIn(usual.signedTransaction));

    const answers = await times(20, (index) => creator.submit(index % 2 === 0 ? usual : other));
    expect(different(answers)).toHaveLength(1);
    expect(answers[0]).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
    await expectLaunchedOnce(platform, creator, prepared, before);

    const landed = await paymentOf(platform, prepared);
    expect(answers[0]?.data?.paymentSignature).toBe(landed);
    const signatures = [usual, other].map(({ signedTransaction }) => signatureIn(signedTransaction));
    expect(signatures).toContain(landed);
    for (const signature of signatures) {
      expect(await creator.status(signature)).toMatchObject({
        http: 200,
        data: { status: 'completed', mint: prepared.mint, paymentSignature: landed },
      });
    }
  });
});

describe('a repeat of a submit', () => {
  it('answers the same after completion and after finality, also with a third signature', async () => {
    const creator = await createCreator(platform);
    const { prepared, submission, answer } = await creator.launch();
    expect(await creator.submit(submission)).toEqual(answer);
    await untilState(platform, prepared, 'finalized');
    const before = await creator.balance();
    expect(await creator.submit(submission)).toEqual(answer);
    const again = { ...submission, signedTransaction: signedAnew(prepared.paymentTransaction, creator.keypair) };
    expect(await creator.submit(again)).toEqual(answer);
    expect((await creator.status(signatureIn(again.signedTransaction))).data?.mint).toBe(prepared.mint);
    expect(await creator.balance()).toBe(before);
  });

  it('still works long after the blockhash of the payment expired', async () => {
    const creator = await createCreator(platform);
    const { prepared, submission, answer } = await creator.launch();
    await untilState(platform, prepared, 'finalized');
    platform.chain.control.expireBlockhashes();
    expect(await creator.submit(submission)).toEqual(answer);
  });

  it('works while launching is paused, whereas a first submit and a prepare are refused', async () => {
    const creator = await createCreator(platform);
    const { submission, answer } = await creator.launch();
    const first = creator.sign(await creator.prepare());
    await setLaunching('off');
    expect(await creator.submit(submission)).toEqual(answer);
    const refused = { http: 503, error: { code: 'service_unavailable', retryable: false } };
    expect(await creator.submit(first)).toMatchObject(refused);
    expect(await creator.tryPrepare()).toMatchObject(refused);
    expect((await creator.status(signatureIn(first.signedTransaction))).http).toBe(404);
  });

  it('is not needed to know more: the status says processing, without a mint, until the launch is recorded', async () => {
    const creator = await createCreator(platform);
    const held = platform.gate.hold('recordLaunch');
    const submission = creator.sign(await creator.prepare());
    const pending = creator.submit(submission);
    await held.reached;
    const signature = signatureIn(submission.signedTransaction);
    expect(await creator.status(signature)).toMatchObject({ http: 200, data: { status: 'processing' } });
    expect((await creator.status(signature)).data).not.toHaveProperty('mint');
    held.release();
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed' } });
  });
});
