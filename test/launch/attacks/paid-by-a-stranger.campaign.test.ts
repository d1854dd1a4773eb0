import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import * as launches from '../../../db/launch/launches.ts';
import { landedMemos } from '../../support/platform/chain-facts.ts';
import { type Creator, createCreator, type Prepared, signatureIn } from '../../support/platform/creator.ts';
import { letEverythingExpire } from '../../support/platform/doom.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { beginUnlanded } from '../../support/platform/parking.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { resolve } from '../../support/platform/resolve.ts';
import { untilState } from '../../support/platform/until-state.ts';
import { createStranger, type Stranger } from '../../support/launch/stranger.ts';

let platform: Platform;
let stranger: Stranger;
let creator: Creator;
let before: number;
beforeAll(async () => {
  platform = await startPlatform();
  stranger = await createStranger(platform);
});
beforeEach(async () => {
  creator = await createCreator(platform);
  before = await creator.balance();
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

/** A launch whose payment died, while a stranger's lamports let so many of the transactions after it land. */
async function launchPaidByStranger(landed: 1 | 3) {
  const { prepared, submission, pending } = await beginUnlanded(platform, creator);
  await stranger.dust(prepared.launchWallet, BigInt(prepared.payment.lamports));
  const rows = await chainTransactions.liveByPrefix(platform.db, `launch/${prepared.quoteId}/`);
  for (const [index, { wire }] of rows.slice(1, 1 + landed).entries()) {
    await platform.connection.sendRawTransaction(wire, { skipPreflight: true });
    await eventually(async () => (await landedMemos(platform, prepared)).length === index + 1 || null);
  }
  letEverythingExpire(platform);
  return { prepared, signature: signatureIn(submission.signedTransaction), pending };
}

async function parkings({ quoteId }: Prepared): Promise<number> {
  const history = await launches.history(platform.db, quoteId);
  return history.filter(({ state }) => state === 'needs_recovery').length;
}

describe.each([1, 3] as const)('a launch of which %i transactions landed but not the payment', (landed) => {
  it('waits for an operator, who can only give it up: the creator was not charged and nothing is shown', async () => {
    const { prepared, signature, pending } = await launchPaidByStranger(landed);
    const { blockedReason } = await untilState(platform, prepared, 'needs_recovery');
    expect(blockedReason).toMatch(/^the payment is dead, but launch\/.*\/2.* landed: a stranger paid for that$/);
    expect(await pending).toMatchObject({
      http: 200,
      data: { status: 'processing', onChain: 'unknown', awaitsOperator: true },
    });
    expect(await creator.balance()).toBe(before);

    for (const [action, parked] of [
      ['resume', 2],
      ['record', 3],
    ] as const) {
      await resolve(platform, prepared, action);
      await eventually(async () => (await parkings(prepared)) === parked || null);
    }
    await resolve(platform, prepared, 'refund');
    await untilState(platform, prepared, 'not_landed');
    expect(await creator.status(signature)).toMatchObject({
      http: 503,
      status: 'service_unavailable',
      charged: false,
    });
    expect(await creator.balance()).toBe(before);
    expect(await landedMemos(platform, prepared)).toHaveLength(landed);
  });
});
