import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCreator, signatureIn } from '../support/platform/creator.ts';
import { expectLaunchedOnce } from '../support/platform/expect-launched.ts';
import { forgetLaunch } from '../support/platform/forget-launch.ts';
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
      await forgetLaunch(platform, prepared);
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
