import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCreator, type Prepared } from '../../support/platform/creator.ts';
import { expectLaunchedOnce } from '../../support/platform/expect-launched.ts';
import { forgetLaunch } from '../../support/platform/forget-launch.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { untilState } from '../../support/platform/until-state.ts';
import { untilWorkflowEnded } from '../../support/platform/workflow-history.ts';
import { restored } from '../../support/platform/restored.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

/** Brings the database back to before a launch was prepared: its addresses look as if nobody had taken them. */
async function forget(prepared: Prepared): Promise<void> {
  await restored(platform.db, async (tx) => {
    await forgetLaunch({ db: tx }, prepared);
    await sql`update launch_addresses set taken_at = null, created_at = '2000-01-01' where quote_id = ${prepared.quoteId}`.execute(
      tx,
    );
  });
}

describe('addresses that look free because the database was restored', () => {
  it('are not given out again once their token exists', async () => {
    const first = await createCreator(platform);
    const { prepared: used } = await first.launchToEnd();
    await untilState(platform, used, 'finalized');
    await untilWorkflowEnded(platform, used);
    await forget(used);

    const second = await createCreator(platform);
    const before = await second.balance();
    const { prepared, answer } = await second.launchToEnd();
    expect(prepared.mint).not.toBe(used.mint);
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });
    await untilState(platform, prepared, 'finalized');
    await expectLaunchedOnce(platform, second, prepared, before);
  });

  it('that two quotes share become one launch; the other quote is refused, not charged, and never an error of ours', async () => {
    const [first, second] = [await createCreator(platform), await createCreator(platform)];
    const quoted = await first.prepare();
    await forget(quoted);
    const other = await second.prepare();
    expect(other.quoteId).toBe(quoted.quoteId);
    const before = await second.balance();
    expect(await first.submit(first.sign(quoted))).toMatchObject({ http: 200, data: { status: 'completed' } });
    const answer = await second.submit(second.sign(other));
    expect(answer).toMatchObject({ http: 503, error: { code: 'service_unavailable' } });
    expect(answer).not.toHaveProperty('data');
    expect(await second.balance()).toBe(before);
  });
});
