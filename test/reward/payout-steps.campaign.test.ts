import { createTransferCheckedInstruction } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { rewardRoundWorkflowId } from '../../workflows/reward/messages.ts';
import { accountOf, land, openAccount } from '../support/claim/claim-market.ts';
import { expectBooksMatch } from '../support/reward/books.ts';
import { type RewardFixture, startRewardFixture } from '../support/reward/reward-platform.ts';

let ground: RewardFixture;
beforeAll(async () => {
  ground = await startRewardFixture({
    REWARD_SNAPSHOT_WINDOW_SLOTS: '3',
    REWARD_SALE_WINDOW_SECONDS: '0',
    // A step has four transactions then.
    REWARD_PAYOUTS_AT_ONCE: '1',
  });
});
afterAll(() => ground.close());

/** Each without an account for the quote token: five transactions of seven, and one for the rents. */
const HOLDERS = 32;
const GIVEN_AT_ONCE = 4;

it('a round with more payouts than one step has pays in several, each holder once, and is planned again', async () => {
  const market = await ground.launch();
  await market.trade('buy', 4_000_000_000n);
  const owners = Array.from({ length: HOLDERS }, () => Keypair.generate().publicKey);
  const { base, trader } = market;
  const raw = ((await market.holdings(trader.publicKey)).base * 9n) / 10n / BigInt(HOLDERS);
  const from = accountOf(base, trader.publicKey);
  for (let at = 0; at < HOLDERS; at += GIVEN_AT_ONCE) {
    const gifts = owners.slice(at, at + GIVEN_AT_ONCE).flatMap((owner) => {
      const to = accountOf(base, owner);
      const { mint, decimals, tokenProgram } = base;
      return [
        openAccount(base, owner, trader),
        createTransferCheckedInstruction(from, mint, to, trader.publicKey, raw, decimals, [], tokenProgram),
      ];
    });
    await land(ground.platform, trader, gifts);
  }
  await ground.settle(market);
  const held = new Map(owners.map((owner) => [owner.toBase58(), 0n]));

  const round = await ground.round(market);

  expect(round).toMatchObject({ state: 'done', note: null, problem: null });
  await expectBooksMatch(ground, market, held);
  for (const owner of owners) expect(await ground.quoteOf(market, owner)).toBeGreaterThan(0n);
  const payouts = await rewardTransactions.ofRound(ground.platform.db, round.id, 'payout');
  expect(payouts.length).toBeGreaterThan(4);
  const handle = ground.platform.client.workflow.getHandle(rewardRoundWorkflowId(round.id));
  const { events } = await handle.fetchHistory();
  const steps = events?.filter(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'payRewards',
  );
  expect(steps).toHaveLength(Math.ceil(payouts.length / 4));

  await market.trade('buy', 100_000_000n);
  await ground.settle(market);
  const next = await ground.round(market);
  expect([next.number, next.note]).toEqual([2, null]);
  await expectBooksMatch(ground, market, held);
});
