import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import { landedPurposes } from '../support/reward/books.ts';
import { type RewardFixture, startRewardFixture, untilDone } from '../support/reward/reward-platform.ts';

let ground: RewardFixture;
beforeAll(async () => {
  ground = await startRewardFixture({ REWARD_SNAPSHOT_WINDOW_SLOTS: '9' });
});
afterAll(() => ground.close());

/** Raw tokens of the first buyers' price that are worth about so many USD. */
const worth = (usd: bigint) => usd * 90_000n * 10n ** 9n;

describe('who waits for a round to show on the chain', () => {
  it('is too late for all of its observations, and is paid nothing of it', async () => {
    const market = await ground.launch();
    await ground.buy(market, 1_500_000_000n);
    await market.trade('buy', 1_200_000_000n);
    await ground.settle(market);
    const collecting = ground.platform.gate.hold('collectRewards');
    await ground.plan();
    await collecting.reached;
    const { id } = (await ground.newest(market))!;
    const read = (await rewardSnapshots.ofRound(ground.platform.db, id)).filter(({ readSlot }) => readSlot !== null);
    expect(read).toHaveLength(3);
    expect(await landedPurposes(ground, market)).toEqual([]);
    const shown = await ground.platform.api.inject(`/api/public/v1/tokens/${market.mint}/rewards/rounds`);
    expect(shown.json()).toMatchObject({ data: { rounds: [], pagination: { total: 0 } } });
    const late = Keypair.generate().publicKey;
    await ground.give(market, late, worth(300n));
    collecting.release();
    const round = await untilDone(ground.platform, market);
    expect(round).toMatchObject({ id, note: null, problem: null });
    expect(await ground.quoteOf(market, late)).toBe(0n);
    // What the gift was taxed accrued before the collection, and is part of it.
    expect(await landedPurposes(ground, market)).toContain(`reward/${id}/0`);
  });
});
