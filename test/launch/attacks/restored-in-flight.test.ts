import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createCreator, type Prepared, signatureIn } from '../../support/platform/creator.ts';
import { expectLaunchedOnce } from '../../support/platform/expect-launched.ts';
import { beginUnlanded } from '../../support/platform/parking.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { untilState } from '../../support/platform/until-state.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(() => platform.calm());
afterAll(() => platform.close());

/** Loses the last commits of the database, as a failover to a copy that lags does. */
async function forget({ quoteId }: Prepared): Promise<void> {
  await platform.db.transaction().execute(async (tx) => {
    await sql`delete from chain_transactions where purpose like ${`%/${quoteId}%`}`.execute(tx);
    for (const table of ['launch_signatures', 'launch_state_history', 'launch_logos', 'launches']) {
      await sql`delete from ${sql.table(table)} where quote_id = ${quoteId}`.execute(tx);
    }
  });
}

it('a launch under way that the database lost is not called "not charged" while its payment can land', async () => {
  const creator = await createCreator(platform);
  const before = await creator.balance();
  const { prepared, submission, pending } = await beginUnlanded(platform, creator);
  platform.chain.control.setSlotMs(0);
  await forget(prepared);
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
