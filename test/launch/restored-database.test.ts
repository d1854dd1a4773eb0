import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCreator, type Prepared, signatureIn } from '../support/platform/creator.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { signedAnew } from '../support/platform/second-signature.ts';
import { untilState } from '../support/platform/until-state.ts';
import { untilWorkflowEnded } from '../support/platform/workflow-history.ts';
import { runRound } from '../support/platform/run-round.ts';
import { LAUNCH_JANITOR_ROUND } from '../../workflows/launch/messages.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

describe('a database restored from before a launch', () => {
  it.each([
    ['the same signature', false],
    ['another valid signature', true],
  ])(
    'and a repeat of its submit with %s charge nobody twice: the launch is found on the chain',
    async (_what, anew) => {
      const creator = await createCreator(platform);
      const before = await creator.balance();
      const { prepared, submission } = await creator.launchToEnd();
      await untilState(platform, prepared, 'finalized');
      await untilWorkflowEnded(platform, prepared);
      await forget(prepared);
      expect((await creator.status(signatureIn(submission.signedTransaction))).http).toBe(404);

      const again = anew ? signedAnew(prepared.paymentTransaction, creator.keypair) : submission.signedTransaction;
      // The workflow of this quote has ended, so nothing is started by the submit itself.
      expect(await creator.submit({ ...submission, signedTransaction: again })).toMatchObject({ http: 200 });
      await sql`update launches set updated_at = now() - interval '1 minute'`.execute(platform.db);
      await runRound(platform, LAUNCH_JANITOR_ROUND);
      await untilState(platform, prepared, 'finalized');
      await expectLaunchedOnce(platform, creator, prepared, before);
      for (const signature of [submission.signedTransaction, again].map(signatureIn)) {
        expect(await creator.status(signature)).toMatchObject({ http: 200, data: { mint: prepared.mint } });
      }
    },
  );
});

/** Removes everything that the database knows of a launch, as a restore would. */
async function forget({ quoteId, mint }: Prepared): Promise<void> {
  const { db } = platform;
  await db.transaction().execute(async (tx) => {
    await sql`delete from positions where mint = ${mint}`.execute(tx);
    await sql`delete from tokens where mint = ${mint}`.execute(tx);
    await sql`delete from chain_transactions where purpose like ${`%/${quoteId}%`}`.execute(tx);
    for (const table of ['launch_signatures', 'launch_state_history', 'launch_logos', 'launches']) {
      await sql`delete from ${sql.table(table)} where quote_id = ${quoteId}`.execute(tx);
    }
  });
}
