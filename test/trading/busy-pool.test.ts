import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import * as poolProofs from '../../db/market/pool-proofs.ts';
import { BEHIND, hidingMarket } from '../support/market/hidden-trip.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens } from '../support/market/stored.ts';

const ground: MarketFixture = await startMarketFixture();
afterAll(() => ground.close());

/** A market whose newest trade is never final yet. */
async function busyMarket() {
  const market = await hidingMarket(ground, 'looks at pools');
  const proofs = async () => poolProofs.ofPool(ground.db, (await market.stored.cursor()).pool);
  const next = async () => {
    ground.finalize();
    await market.index.lookAtMarket();
    await market.trade('buy', 'in', quoteTokens(100n));
    await market.index.lookAtMarket();
    const finality = (await market.stored.swaps()).map(({ finalized }) => finalized);
    expect(finality.at(-1)).toBe(false);
    expect(finality.slice(0, -1).every(Boolean)).toBe(true);
  };
  return Object.assign(market, { proofs, next });
}

it('a pool that is traded all the time is repeated from its newest settled slot, not from its launch', async () => {
  await using market = await busyMarket();
  const { next, average, proofs, stored } = market;
  for (let trades = 1; trades <= 3; trades++) {
    await next();
    await average();
    const [proof] = await proofs();
    expect(proof?.slot).toBe((await stored.cursor()).finalizedSlot);
  }
});

it('a pool that is traded all the time is proven anew from a state that a quorum shows', async () => {
  await using market = await busyMarket();
  const { next, average, proofs, stored } = market;
  // Block times are whole seconds: a proof that begins in the second of the launch would reach back to it.
  await ground.db
    .updateTable('launches')
    .set({ launchedAt: sql`launched_at - interval '1 minute'` })
    .execute();
  await next();
  await average();
  const counted = sql<string>`jsonb_set(state, '{feeGrowth0X64}', '"1"') || '{"feeGrowth1X64": "1"}'`;
  await ground.db.updateTable('poolProofs').set({ state: counted }).execute();
  await next();
  await expect(average()).rejects.toThrow(BEHIND);
  const begun = await proofs();
  expect(begun).toHaveLength(2);
  await next();
  await expect(average()).rejects.toThrow(/proven complete only since/);
  const moved = await proofs();
  expect(moved.map(({ since }) => since)).toEqual(begun.map(({ since }) => since));
  expect(moved[1]?.slot).toBe((await stored.cursor()).finalizedSlot);
});
