import { getTransferFeeAmount, TOKEN_2022_PROGRAM_ID, unpackAccount } from '@solana/spl-token';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withdrawalLamports } from '../../chain/reward/round-transaction.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { worthWithdrawing } from '../../domain/reward/withdrawals.ts';
import { accountOf } from '../support/claim/claim-market.ts';
import { type RewardFixture, startRewardFixture } from '../support/reward/reward-platform.ts';
import { spendableUsd } from '../support/trading/spendable.ts';

describe('withheld tax', () => {
  const costOf = (sources: number) => withdrawalLamports(sources, 100_000n);
  // A millionth of a USD for each raw unit; SOL at 150 USD.
  const prices = { solUsd: spendableUsd('150'), tokenUsd: spendableUsd('1'), decimals: 6 };
  const of = (...amounts: bigint[]) => amounts.map((raw) => ({ raw }));
  const worth = (sources: readonly { readonly raw: bigint }[]) => worthWithdrawing(sources, 16, costOf, prices);

  it('costs three signatures and the compute units', () => {
    // (40,000 + 20,000 + 16 · 5,000) units at 0.1 lamports.
    expect(costOf(16)).toBe(29_000n);
  });

  it('is left where it is while it is worth no more than its withdrawal costs', () => {
    // One source costs 21,500 lamports: 0.003225 USD.
    expect(worth(of(3_225n))).toEqual([]);
    expect(worth(of(3_226n))).toEqual([of(3_226n)]);
  });

  it('is left in an account that brings no more than naming it beside others costs', () => {
    // 500 lamports are 0.000075 USD.
    expect(worth(of(9_000n, 75n, 76n))).toEqual([of(9_000n, 76n)]);
    expect(worth(of(9_000n, ...Array.from({ length: 40 }, () => 1n)))).toEqual([of(9_000n)]);
  });

  it('of many accounts goes by as few withdrawals as hold them', () => {
    const sources = of(...Array.from({ length: 40 }, () => 9_000n));
    expect(worth(sources).map(({ length }) => length)).toEqual([16, 16, 8]);
  });
});

describe('on a platform', () => {
  let ground: RewardFixture;
  let dusted: Awaited<ReturnType<typeof dustedMarket>>;
  let small: Awaited<ReturnType<RewardFixture['launch']>>;
  beforeAll(async () => {
    ground = await startRewardFixture({ REWARD_SNAPSHOT_WINDOW_SLOTS: '3', REWARD_SALE_WINDOW_SECONDS: '0' });
  });
  beforeAll(async () => {
    dusted = await dustedMarket();
  });
  beforeAll(async () => {
    small = await ground.launch();
    // A tax of 0.20 USD; the rent of the pot's accounts is worth more.
    await small.trade('buy', 20_000_000n);
    await ground.settle(small);
  });
  afterAll(() => ground.close());

  /** Tax that an account withholds, raw units. */
  async function withheldIn(address: PublicKey): Promise<bigint> {
    const info = await ground.platform.connection.getAccountInfo(address, 'confirmed');
    const account = unpackAccount(address, info, TOKEN_2022_PROGRAM_ID);
    return getTransferFeeAmount(account)?.withheldAmount ?? 0n;
  }

  /** A launch of whose coin strangers hold dust: more of them than fit beside the tax of two buyers into one withdrawal. */
  async function dustedMarket() {
    const market = await ground.launch();
    const buyer = await ground.buy(market, 500_000_000n);
    await market.trade('buy', 1_200_000_000n);
    const strangers = Array.from({ length: 18 }, () => Keypair.generate().publicKey);
    for (const stranger of strangers) await ground.give(market, stranger, 1n);
    await ground.settle(market);
    return { market, buyer, strangers };
  }

  it('dust that strangers leave in many accounts is not withdrawn, neither alone nor along with tax that is worth it', async () => {
    const { market, buyer, strangers } = dusted;
    const bought = accountOf(market.base, buyer.publicKey);
    expect(await withheldIn(bought)).toBeGreaterThan(1n);

    const round = await ground.round(market);

    expect(round).toMatchObject({ state: 'done', note: null, problem: null });
    const rows = await rewardTransactions.ofRound(ground.platform.db, round.id, 'tax');
    const named = rows.flatMap(({ sources }) => sources ?? []);
    expect(named).toContain(bought.toBase58());
    expect(await withheldIn(bought)).toBe(0n);
    for (const stranger of strangers) {
      const dusty = accountOf(market.base, stranger);
      expect(named).not.toContain(dusty.toBase58());
      expect(await withheldIn(dusty)).toBe(1n);
    }
  });

  it('the first round of a token is begun only where it brings more than its pot costs', async () => {
    await ground.plan();
    expect(await ground.newest(small)).toBeNull();
    await small.trade('buy', 200_000_000n);
    await ground.settle(small);
    expect(await ground.round(small)).toMatchObject({ number: 1, state: 'done', note: null });
  });
});
