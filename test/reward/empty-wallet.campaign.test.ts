import { PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/platform/eventually.ts';
import { addressOf } from '../support/platform/secrets.ts';
import { type RewardFixture, startRewardFixture, untilDone } from '../support/reward/reward-platform.ts';

let ground: RewardFixture;
beforeAll(async () => {
  ground = await startRewardFixture({ REWARD_SNAPSHOT_WINDOW_SLOTS: '3', REWARD_SALE_WINDOW_SECONDS: '0' });
});
afterAll(() => ground.close());

/** Enough for a hundred network fees, and too little for what a transaction of a round may take beside one. */
const TOO_LITTLE = 900_000n;

async function setWallet(wallet: PublicKey, lamports: bigint): Promise<void> {
  const info = (await ground.platform.connection.getAccountInfo(wallet))!;
  const account = { lamports, data: Buffer.alloc(0), owner: info.owner.toBase58(), executable: false };
  ground.platform.chain.control.setAccounts([[wallet.toBase58(), account]]);
}

it('a round that the platform wallet cannot pay for signs nothing, says so, and goes on once the wallet is funded', async () => {
  const { platform } = ground;
  const market = await ground.launch();
  await ground.buy(market, 500_000_000n);
  await market.trade('buy', 1_200_000_000n);
  await ground.settle(market);
  const wallet = new PublicKey(addressOf(platform.secrets.PLATFORM_SECRET_KEY));
  const funds = BigInt(await platform.connection.getBalance(wallet));
  await setWallet(wallet, TOO_LITTLE);
  await ground.plan();
  const problem = `wallet ${wallet.toBase58()} holds ${TOO_LITTLE} lamports`;
  const { id } = await eventually(async () => {
    const round = await ground.newest(market);
    return round?.problem?.includes(problem) ? round : null;
  }, 'a noted problem of the round');
  const signed = platform.db.selectFrom('chainTransactions').select('purpose');
  expect(await signed.where('purpose', 'like', `reward/${id}/%` as never).execute()).toEqual([]);
  await setWallet(wallet, funds);
  expect(await untilDone(platform, market)).toMatchObject({ id, note: null, problem: null });
});
