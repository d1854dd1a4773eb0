import { createCloseAccountInstruction } from '@solana/spl-token';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import { accountOf, land, type Market } from '../support/claim/claim-market.ts';
import { eventually } from '../support/platform/eventually.ts';
import { potOf } from '../support/reward/books.ts';
import { type RewardGround, startRewardGround, untilDone } from '../support/reward/reward-platform.ts';

let ground: RewardGround;
beforeAll(async () => {
  ground = await startRewardGround({ REWARD_SNAPSHOT_WINDOW_SLOTS: '3', REWARD_SALE_WINDOW_SECONDS: '0' });
});
afterAll(() => ground.close());

/** Byte of a token account that says whether it is frozen. */
const STATE_OFFSET = 108;
const [INITIALIZED, FROZEN] = [1, 2];

async function setState(market: Market, state: number): Promise<void> {
  const account = accountOf(market.quote, await potOf(ground, market));
  const info = (await ground.platform.connection.getAccountInfo(account))!;
  const data = Buffer.from(info.data);
  data[STATE_OFFSET] = state;
  const changed = { lamports: BigInt(info.lamports), data, owner: info.owner.toBase58(), executable: false };
  ground.platform.chain.control.setAccounts([[account.toBase58(), changed]]);
}

/** A market with two holders whose round is about to pay. */
async function aboutToPay() {
  const market = await ground.launch();
  const [first, second] = [await ground.buy(market, 500_000_000n), await ground.buy(market, 1_500_000_000n)];
  await market.trade('buy', 1_200_000_000n);
  await ground.settle(market);
  const paying = ground.platform.gate.hold('payRewards');
  await ground.plan();
  await paying.reached;
  return { market, first, second, paying, round: (await ground.newest(market))! };
}

async function statesOf({ id }: RewardRound): Promise<Map<string, string>> {
  const payouts = await rewardPayouts.ofRound(ground.platform.db, id);
  return new Map(payouts.map(({ owner, state }) => [owner, state]));
}

describe('a payout', () => {
  // The first in the file: later there is another market whose round the gate may hold instead.
  it('leaves out only who closed the account, and pays all others of the transaction', async () => {
    const { market, first, second, paying, round } = await aboutToPay();
    const account = accountOf(market.quote, first.publicKey);
    await land(ground.platform, first, [createCloseAccountInstruction(account, first.publicKey, first.publicKey)]);
    paying.release();
    await untilDone(ground.platform, market);
    const states = await statesOf(round);
    expect([states.get(first.publicKey.toBase58()), states.get(second.publicKey.toBase58())]).toEqual(['void', 'paid']);
    expect([...states.values()].filter((state) => state === 'void')).toHaveLength(1);
  });

  it('waits, with the reason noted, while the pot’s own account gives nothing, and then reaches everybody', async () => {
    const { market, paying, round } = await aboutToPay();
    await setState(market, FROZEN);
    paying.release();
    await eventually(
      async () => ((await ground.newest(market))?.problem?.includes('cannot pay') ? true : null),
      'a noted problem of the round',
    );
    expect(new Set((await statesOf(round)).values())).toEqual(new Set(['planned']));
    await setState(market, INITIALIZED);
    const done = await untilDone(ground.platform, market);
    expect(done).toMatchObject({ id: round.id, note: null, problem: null });
    expect(new Set((await statesOf(round)).values())).toEqual(new Set(['paid']));
  });
});
