import {
  createCloseAccountInstruction,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  unpackAccount,
} from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { BigNumber } from 'bignumber.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import { SEED_PAIRS, SOL_USD } from '../../dev/seed/local-pairs.ts';
import { accountOf, land, type Market } from '../support/claim/claim-market.ts';
import { FEE_SWEEP_ROUND } from '../../workflows/fee-sweep/messages.ts';
import { runRound } from '../support/platform/run-round.ts';
import { eventually } from '../support/platform/eventually.ts';
import { addressOf } from '../support/platform/secrets.ts';
import { expectBooksMatch, holdersOnChain, potOf } from '../support/reward/books.ts';
import { type RewardFixture, startRewardFixture, untilDone } from '../support/reward/reward-platform.ts';
import { receivedIn } from '../support/reward/scanner.ts';
import { poolNumberOf } from '../support/market/swap-rows.ts';

let ground: RewardFixture;

beforeAll(async () => {
  ground = await startRewardFixture();
});
afterAll(() => ground.close());

const incinerator = new PublicKey('1nc1nerator11111111111111111111111111111111');
const [programOwned] = PublicKey.findProgramAddressSync([Buffer.from('vault')], TOKEN_PROGRAM_ID);

/** Raw tokens of the first buyers' price that are worth about so many USD. */
const worth = (usd: bigint) => usd * 90_000n * 10n ** 9n;

/** A wallet with a key whose account a program owns. */
function ownedByProgram(): Keypair {
  const wallet = Keypair.generate();
  const account = {
    lamports: 10_000_000n,
    data: Buffer.alloc(8),
    owner: TOKEN_PROGRAM_ID.toBase58(),
    executable: false,
  };
  ground.platform.chain.control.setAccounts([[wallet.publicKey.toBase58(), account]]);
  return wallet;
}

async function vaultTax({ pool, base }: Market): Promise<bigint> {
  const state = await ground.platform.exchange.readPool(pool);
  const vault = state!.token0.equals(base.mint) ? state!.vault0 : state!.vault1;
  const info = await ground.platform.connection.getAccountInfo(vault);
  return getTransferFeeAmount(unpackAccount(vault, info, TOKEN_2022_PROGRAM_ID))?.withheldAmount ?? 0n;
}

/** Divides as the rules are published, by eliminating whoever stands worst until everybody who is left qualifies. */
function divided(
  { budgetRaw, averagePrice, quoteUsd }: RewardRound,
  holders: Map<string, bigint>,
  newAccounts: Set<string>,
) {
  const least = new BigNumber('20').div(new BigNumber(averagePrice!).times(quoteUsd!)).times(1e9);
  const rentRaw = BigInt(
    new BigNumber(2_039_280).times(SOL_USD).div(1e9).times(1e6).integerValue(BigNumber.ROUND_CEIL).toFixed(),
  );
  let group = [...holders]
    .filter(([, raw]) => least.lte(raw.toString()))
    .map(([owner, raw]) => ({ owner, raw, rent: newAccounts.has(owner) ? rentRaw : 0n }));
  for (;;) {
    const total = group.reduce((sum, { raw }) => sum + raw, 0n);
    const paid = group.map((one) => ({ ...one, amount: (budgetRaw! * one.raw) / total - one.rent }));
    const poor = paid.filter(({ amount }) => amount < 50_000n).sort((a, b) => Number(a.raw - b.raw))[0];
    if (!poor) return { paid: new Map(paid.map(({ owner, amount }) => [owner, amount])), rentRaw };
    group = group.filter(({ owner }) => owner !== poor.owner);
  }
}

describe('a reward round', () => {
  it('pays those who held enough all the time, to the unit, and nobody else', async () => {
    const market = await ground.launch();
    const buyers = [await ground.buy(market, 500_000_000n), await ground.buy(market, 1_500_000_000n)];
    const small = await ground.buy(market, 3_000_000n);
    await market.trade('buy', 1_200_000_000n);
    const [fresh, late, program] = [Keypair.generate().publicKey, Keypair.generate().publicKey, ownedByProgram()];
    for (const owner of [fresh, programOwned, incinerator]) await ground.give(market, owner, worth(100n));
    await ground.give(market, program.publicKey, worth(400n));
    await ground.settle(market);
    const treasury = new PublicKey(addressOf(ground.platform.secrets.TREASURY_SECRET_KEY));
    const [deposited, stock] = [await vaultTax(market), await ground.quoteOf(market, treasury)];
    const others = [small.publicKey, late, program.publicKey, programOwned, incinerator];
    const owners = [...buyers.map(({ publicKey }) => publicKey), market.trader.publicKey, fresh, ...others];
    const held = new Map<string, bigint>();
    for (const owner of owners) held.set(owner.toBase58(), await ground.quoteOf(market, owner));

    expect(await ground.plan()).toBe(1);
    await observed(market, 0);
    // The giver takes no part in the round, so it makes no difference whether the later observations see the gift.
    await ground.give(market, late, worth(300n), program);
    const round = await untilDone(ground.platform, market);

    const now = await holdersOnChain(ground, market);
    const counted = new Map(
      [...buyers.map(({ publicKey }) => publicKey), market.trader.publicKey, fresh, small.publicKey].map((owner) => [
        owner.toBase58(),
        now.get(owner.toBase58())!,
      ]),
    );
    const { paid, rentRaw } = divided(round, counted, new Set([fresh.toBase58()]));
    expect(paid.size).toBe(4);
    expect(paid.has(small.publicKey.toBase58())).toBe(false);
    for (const owner of owners) {
      const got = (await ground.quoteOf(market, owner)) - held.get(owner.toBase58())!;
      expect([owner.toBase58(), got]).toEqual([owner.toBase58(), paid.get(owner.toBase58()) ?? 0n]);
    }
    expect((await ground.quoteOf(market, treasury)) - stock).toBe(rentRaw);
    const rest = await ground.quoteOf(market, await potOf(ground, market));
    const sum = [...paid.values()].reduce((total, amount) => total + amount, rentRaw);
    expect(sum + rest).toBe(round.budgetRaw);
    expect(rest).toBeLessThan(4n);
    await expectBooksMatch(ground, market, held);
    // The deposit's own tax stays where the fee sweep burns it; the sale's tax came on top.
    expect(await vaultTax(market)).toBeGreaterThan(deposited);
    await expectShown(market, round, sum - rentRaw);
    // What was given to the latecomer was taxed, too, and is divided in the next round.
    const next = await ground.round(market);
    expect(next.id).not.toBe(round.id);
    await expectBooksMatch(ground, market, held);
    expect((await ground.quoteOf(market, late)) - held.get(late.toBase58())!).toBeGreaterThan(0n);
  });

  it('of a Token-2022 quote token sells no more than the price bears; the next round goes on with the rest', async () => {
    const bit = SEED_PAIRS.find(({ symbol }) => symbol === 'LBIT')!;
    const market = await ground.launch(bit, 300);
    // About 4,000 USD at 64,250.5 a piece: 3 % of what it buys moves the price by more than 1 %.
    const buyer = await ground.buy(market, 6_225_000n);
    await ground.settle(market);
    const held = new Map([[buyer.publicKey.toBase58(), await ground.quoteOf(market, buyer.publicKey)]]);
    const first = await ground.round(market);
    expect(first.saleNote).toMatch(/of \d+ raw units are left for the next round/);
    await expectBooksMatch(ground, market, held);
    const left = await rewardTransactions.funds(ground.platform.db, market.mint);
    expect(left.baseRaw).toBeGreaterThan(0n);
    await ground.settle(market);
    const second = await ground.round(market);
    expect(second.id).not.toBe(first.id);
    const sold = await rewardTransactions.funds(ground.platform.db, market.mint);
    expect(sold.baseRaw).toBeLessThan(left.baseRaw);
    await expectBooksMatch(ground, market, held);
    expect((await ground.quoteOf(market, buyer.publicKey)) - held.get(buyer.publicKey.toBase58())!).toBeGreaterThan(0n);
  });

  it('sells nothing far below the average price, and divides what came in quote tokens among those who take it', async () => {
    const market = await ground.launch();
    const [buyer, closing] = [await ground.buy(market, 1_500_000_000n), await ground.buy(market, 500_000_000n)];
    await market.trade('buy', 2_000_000_000n);
    await ground.settle(market);
    const held = new Map([[buyer.publicKey.toBase58(), await ground.quoteOf(market, buyer.publicKey)]]);
    const hourAgo = new Date(Date.now() - 3_600_000);
    const { db } = ground.platform;
    await db
      .updateTable('marketSwaps')
      .set({ blockTime: hourAgo })
      .where('poolNumber', '=', poolNumberOf(market.mint))
      .execute();
    await db.updateTable('launches').set({ launchedAt: hourAgo }).where('mint', '=', market.mint).execute();
    const { base } = await market.holdings(market.trader.publicKey);
    await market.trade('sell', base);
    await ground.settle(market);
    // The first fee sweep burns the deposit's tax and finds the sale's beside it in the vault: that is the holders'.
    const sold = await vaultTax(market);
    await runRound(ground.platform, FEE_SWEEP_ROUND);
    const { isBurned, excessRaw } = await feeSweeps.depositTax(db, market.mint);
    expect([isBurned, excessRaw > 0n, excessRaw < sold, await vaultTax(market)]).toEqual([true, true, true, 0n]);

    await ground.plan();
    const planned = await ground.newest(market);
    const paying = ground.platform.gate.hold('payRewards', planned!.id);
    await paying.reached;
    const account = accountOf(market.quote, closing.publicKey);
    await land(ground.platform, closing, [
      createCloseAccountInstruction(account, closing.publicKey, closing.publicKey),
    ]);
    paying.release();
    const round = await untilDone(ground.platform, market);
    expect(round.saleNote).toMatch(/by the average price it is/);
    const moved = await rewardTransactions.ofRound(db, round.id, 'excess');
    expect(moved).toMatchObject([{ state: 'done', baseRaw: excessRaw - (excessRaw * 100n + 9_999n) / 10_000n }]);
    expect(await rewardTransactions.hasExcess(db, market.mint)).toBe(true);
    const refused = db
      .selectFrom('rewardPayouts')
      .select('owner')
      .where('roundId', '=', round.id)
      .where('state', '=', 'void');
    expect(await refused.execute()).toEqual([{ owner: closing.publicKey.toBase58() }]);
    const funds = await rewardTransactions.funds(ground.platform.db, market.mint);
    expect(funds.baseRaw).toBeGreaterThan(0n);
    expect((await ground.quoteOf(market, buyer.publicKey)) - held.get(buyer.publicKey.toBase58())!).toBeGreaterThan(0n);
    await expectBooksMatch(ground, market, held);
  });
});

/** Waits until the nth observation of a token's open round was made. */
async function observed(market: Market, n: number): Promise<void> {
  await eventually(async () => {
    const round = await ground.newest(market);
    const row = ground.platform.db.selectFrom('rewardSnapshots').select('readSlot').where('n', '=', n);
    const seen = await row.where('roundId', '=', round?.id ?? '').executeTakeFirst();
    return seen ? true : null;
  }, `observation ${n}`);
}

/** What the API says of the first round of a token. */
async function expectShown({ mint, quote: token }: Market, round: RewardRound, paidRaw: bigint): Promise<void> {
  const get = async (url: string) =>
    (await ground.platform.api.inject(`/api/public/v1${url}`)).json<{ data: object }>().data;
  const paid = new BigNumber(paidRaw.toString()).shiftedBy(-6).toNumber();
  const totals = {
    distributedTokens: paid,
    distributedRaw: String(paidRaw),
    distributedUsd: paid,
    payoutCount: 4,
    holderCount: 4,
    roundCount: 1,
    transactionCount: 1,
  };
  const quote = { symbol: 'USDL', decimals: 6 };
  expect(await get(`/tokens/${mint}/rewards`)).toMatchObject({
    mint,
    mode: 'reward',
    quote,
    rewards: { transferFee: { bps: 100 }, ...totals },
  });
  const [payout, rent] = await rewardTransactions.ofRound(ground.platform.db, round.id, 'payout');
  expect([payout!.paidRaw, rent!.paidRaw]).toEqual([paidRaw, 0n]);
  const received = { signature: payout!.signature!, quoteMint: token.mint.toBase58() };
  expect(await receivedIn(ground.platform.connection, received)).toEqual({ raw: paidRaw, accounts: 4 });
  const row = { mint, signature: payout!.signature, amountTokens: paid, amountRaw: String(paidRaw), holderCount: 4 };
  // What repays the rents is no row: it paid nobody.
  expect(await get('/rewards')).toMatchObject({ launches: [{ mint, quote, ...totals }], recentDistributions: [row] });
}
