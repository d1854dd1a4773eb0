import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../dev/block-engine/fault.ts';
import { traceOf } from '../support/platform/chain-facts.ts';
import { type Creator, createCreator, signatureIn } from '../support/platform/creator.ts';
import { letEverythingExpire } from '../support/platform/doom.ts';
import { eventually } from '../support/platform/eventually.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { begin, beginUnlanded, landPrefixOnly, parkAfterPrefix } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { untilState } from '../support/platform/until-state.ts';
import { attributesOf, describeWorkflow } from '../support/platform/workflow-history.ts';

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

describe('a launch whose bundle the block engine', () => {
  const faults: [what: string, fault: Fault][] = [
    ['drops once', { fault: 'drop', times: 1 }],
    ['drops five times', { fault: 'drop', times: 5 }],
    ['delays', { fault: 'delay', delayMs: 600, times: 1 }],
    ['sends twice', { fault: 'duplicate', times: 1 }],
    ['always sends twice', { fault: 'duplicate' }],
    ['lands without a word', { fault: 'unknown-status' }],
    ['refuses as unavailable, three times', { fault: 'unreachable', times: 3 }],
    ['lands a prefix of 1 of', { fault: 'prefix', prefixLength: 1, times: 1 }],
    ['lands a prefix of 2 of', { fault: 'prefix', prefixLength: 2, times: 1 }],
    ['lands a prefix of 3 of', { fault: 'prefix', prefixLength: 3, times: 1 }],
    ['takes apart again and again', { fault: 'prefix', prefixLength: 1 }],
  ];

  it.each(faults)('%s is completed and charged once', async (_what, fault) => {
    platform.engine.setFault(fault);
    const { prepared, answer } = await creator.launch();
    // The last transaction of a bundle is alone at the end, and a prefix of one is all of it.
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
    await expectLaunchedOnce(platform, creator, prepared, before);
  });

  it('cannot be reached with, is completed once it is back', async () => {
    const held = platform.gate.hold('landBundle');
    const { prepared, pending } = await begin(creator);
    await held.reached;
    platform.engine.setFault({ fault: 'unreachable' });
    held.release();
    await eventually(async () => (platform.log.text().includes('bundle send failed') ? true : null));
    platform.engine.setFault({ fault: 'none' });
    expect(await pending).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
    await expectLaunchedOnce(platform, creator, prepared, before);
  });
});

describe('a launch whose bundle is dropped until its blockhash expires', () => {
  it('is not landed: nothing was charged, nothing exists, and every answer says so', async () => {
    const { prepared, submission, pending } = await beginUnlanded(platform, creator);
    letEverythingExpire(platform);
    const answer = await pending;
    expect(answer).toMatchObject({
      http: 503,
      status: 'service_unavailable',
      charged: false,
      error: { code: 'service_unavailable', retryable: true },
      paymentSignature: signatureIn(submission.signedTransaction),
    });
    expect(await creator.submit(submission)).toEqual(answer);
    expect(await creator.status(signatureIn(submission.signedTransaction))).toMatchObject({
      http: 503,
      status: 'service_unavailable',
      charged: false,
    });
    expect(await traceOf(platform, prepared)).toEqual({
      wallet: null,
      token: null,
      transactions: 0,
      ledger: ['dead', 'dead', 'dead', 'dead'],
    });
    expect(await creator.balance()).toBe(before);
  });

  it('is never called "not charged" while the payment can still land', async () => {
    const { submission, pending } = await beginUnlanded(platform, creator);
    // Past the last valid block but not past the margin of proof, and the chain stands still there.
    platform.chain.control.setSlotMs(0);
    platform.chain.control.advanceSlots(155);
    await sleep(300);
    for (let looks = 0; looks < 10; looks++) {
      const status = await creator.status(signatureIn(submission.signedTransaction));
      expect(status).toMatchObject({ http: 200, data: { status: 'processing' } });
      expect(status.data).not.toHaveProperty('charged');
    }
    platform.chain.control.setSlotMs(25);
    letEverythingExpire(platform);
    expect(await pending).toMatchObject({ http: 503, charged: false });
  });
});

describe('a launch of which only a prefix landed before everything else died', () => {
  it.each([1, 2, 3])(
    'of %i transactions has its rest signed again, lands it, and charges once',
    async (prefixLength) => {
      const { prepared, pending } = await landPrefixOnly(platform, creator, prefixLength);
      await eventually(async () => platform.gate.calls('rebuildRest', prepared.quoteId) > 0 || null);
      platform.engine.setFault({ fault: 'none' });
      expect(await pending).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
      await expectLaunchedOnce(platform, creator, prepared, before);
      const status = await creator.status((await pending).data?.paymentSignature ?? '');
      expect(status.data?.states?.map(({ state }) => state)).toContain('resuming');
    },
  );

  it('is parked with a 409 when its rest dies again and again, and an operator can resume it', async () => {
    const { prepared, submission, pending } = await parkAfterPrefix(platform, creator, 2);
    expect(await pending).toMatchObject({ http: 409, error: { code: 'conflict', retryable: false } });
    expect((await creator.submit(submission)).http).toBe(409);
    expect((await creator.status(signatureIn(submission.signedTransaction))).http).toBe(409);
    const attributes = attributesOf(await describeWorkflow(platform, prepared));
    expect(attributes['LaunchState']).toBe('needs_recovery');
    expect(attributes['BlockedReason']).toMatch(/did not land in \d+ tries/);

    platform.engine.setFault({ fault: 'none' });
    const handle = platform.client.workflow.getHandle(`launch-${prepared.quoteId}`);
    await expect(
      handle.executeUpdate('resolve', { args: [{ action: 'resume', parking: 1, note: ' ' }] }),
    ).rejects.toThrow();
    await handle.executeUpdate('resolve', { args: [{ action: 'resume', parking: 1, note: 'the engine is back' }] });
    await untilState(platform, prepared, 'finalized');
    expect(await creator.submit(submission)).toMatchObject({ http: 200, data: { status: 'completed' } });
    await expectLaunchedOnce(platform, creator, prepared, before);
    const audit = await platform.db.selectFrom('auditLog').selectAll().where('action', '=', 'launch.resume').execute();
    expect(audit.map(({ subject, note }) => ({ subject, note }))).toEqual([
      { subject: `launch/${prepared.quoteId}`, note: 'the engine is back' },
    ]);
  });
});
