import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createCreator, signatureIn } from '../../support/platform/creator.ts';
import { expectLaunchedOnce } from '../../support/platform/expect-launched.ts';
import { forgetLaunch } from '../../support/platform/forget-launch.ts';
import { beginUnlanded } from '../../support/platform/parking.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { untilState } from '../../support/platform/until-state.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

it('a launch under way that the database lost is not called "not charged" while its payment can land', async () => {
  const creator = await createCreator(platform);
  const before = await creator.balance();
  const { prepared, submission, pending } = await beginUnlanded(platform, creator);
  platform.chain.control.setSlotMs(0);
  // As a failover to a copy that lags loses the last commits.
  await forgetLaunch(platform, prepared);
  // Too late to begin, but what was sent is good for 30 more blocks.
  const height = await platform.connection.getBlockHeight('confirmed');
  platform.chain.control.advanceSlots(Math.max(0, prepared.lastValidBlockHeight - height - 30));

  const again = creator.submit(submission);
  await untilState(platform, prepared, 'landing');
  platform.engine.setFault({ fault: 'none' });
  platform.chain.control.setSlotMs(25);
  const answer = await again;
  await pending;
  expect(answer).not.toHaveProperty('charged');
  expect(answer).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
  await untilState(platform, prepared, 'finalized');
  expect(answer.data?.paymentSignature).toBe(signatureIn(submission.signedTransaction));
  await expectLaunchedOnce(platform, creator, prepared, before);
});
