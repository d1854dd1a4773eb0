import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCreator, signatureIn } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { landPrefix } from '../support/platform/parking.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

test('a payment that landed before the rest is processing with onChain payment, until the platform lands the rest', async () => {
  const creator = await createCreator(platform);
  const { prepared, submission, pending } = await landPrefix(platform, creator, 1);
  const status = () => creator.status(signatureIn(submission.signedTransaction));
  const { data } = await eventually(async () => {
    const answer = await status();
    return answer.data?.onChain === 'payment' ? answer : null;
  }, 'the status that says that the payment landed');
  expect(data).toMatchObject({ status: 'processing', onChain: 'payment' });
  expect(data).not.toHaveProperty('mint');
  platform.engine.setFault({ fault: 'none' });
  expect(await pending).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
  expect((await status()).data).not.toHaveProperty('onChain');
});
