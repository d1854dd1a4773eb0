import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBuybackActivities } from '../../activities/buyback/activities.ts';
import { leftOf } from '../../db/buyback/buyback-budgets.ts';
import * as tokens from '../../db/tokens.ts';
import { type BuybackFixture, startBuybackFixture } from '../support/buyback/buyback-platform.ts';
import { pause } from '../support/fee-sweep/doomed-sweep.ts';
import type { FeeMarket } from '../support/fee-sweep/fee-sweep-platform.ts';
import { forgetMovements } from '../support/lanes/landed.ts';
import { restored } from '../support/platform/restored.ts';

let ground: BuybackFixture;
let former: FeeMarket;
let ranked: FeeMarket;
beforeAll(async () => {
  ground = await startBuybackFixture({ BUYBACK_SHARE_BPS: '0', FLYWHEEL_SHARE_BPS: '5000' });
  former = await ground.open({ mode: 'standard', feeTier: '1%' });
  ranked = await ground.open({ mode: 'standard', feeTier: '1%' });
  await ground.earn(former, 200_000_000n);
});
afterAll(() => ground.close());

const healthy = () =>
  createBuybackActivities({
    ...ground.buybackDeps(),
    sleep: (ms) => pause(ground.platform, undefined, ms),
  });

describe('a purchase that a restored database forgot, of a token that nobody ranks any more', () => {
  it('is found and booked before anything is planned: no budget is spent twice', async () => {
    await healthy().rankFlywheel();
    const [id] = await healthy().planBuybacks();
    await ground.untilIndexed(former);
    const before = await ground.treasury(former);
    expect(await healthy().buyBack(id!)).toBe('done');
    const spentRaw = before.quote - (await ground.treasury(former)).quote;
    const supply = await former.supply();
    await forget(id!);
    await ground.earn(ranked, 900_000_000n);
    // A hidden token is left out of the ranking.
    await tokens.setHidden(ground.platform.db, former.mint, true, { actor: 'test' });
    await healthy().rankFlywheel();
    const held = (await ground.treasury(former)).quote;
    for (let run = 0; run < 4; run++) {
      for (const planned of await healthy().planBuybacks()) {
        for (const market of [former, ranked]) await ground.untilIndexed(market);
        await healthy().buyBack(planned);
      }
    }
    const rounds = await ground.rounds();
    expect(rounds.find((round) => round.id === id)).toMatchObject({ state: 'done', spentRaw });
    expect(await former.supply()).toBe(supply);
    const all = rounds.reduce((sum, round) => sum + (round.spentRaw ?? 0n), 0n);
    const budget = await ground.budget('flywheel', former);
    expect(leftOf(budget)).toBe(budget.allocatedRaw - all);
    expect(all - spentRaw).toBe(held - (await ground.treasury(former)).quote);
    expect(all).toBeLessThanOrEqual(budget.allocatedRaw);
  });
});

/** Removes all that the database knows of a purchase, as a restore does. */
async function forget(id: string): Promise<void> {
  await restored(ground.platform.db, async (tx) => {
    const like = `buyback/${id}/%` as never;
    const signatures = tx.selectFrom('chainTransactions').select('signature').where('purpose', 'like', like);
    await sql`alter table burns disable trigger user`.execute(tx);
    await tx.deleteFrom('burns').where('signature', 'in', signatures).execute();
    await sql`alter table burns enable trigger user`.execute(tx);
    await tx.deleteFrom('buybackRounds').where('id', '=', id).execute();
    await forgetMovements(tx, like);
  });
}
