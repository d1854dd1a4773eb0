import {
  createTransferInstruction,
  getAccount,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFeeSweepActivities } from '../../activities/fee-sweep/activities.ts';
import { transferTax } from '../../chain/exchange/pool-math.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import * as prices from '../../db/prices/prices.ts';
import * as revenue from '../../db/revenue.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { accountOf, balanceOf, land, openAccount } from '../support/claim/claim-market.ts';
import { makeTaxedToken } from '../support/platform/taxed-token.ts';
import { type FeeFixture, type FeeMarket, startFeeFixture } from '../support/fee-sweep/fee-sweep-platform.ts';

let ground: FeeFixture;
beforeAll(async () => {
  ground = await startFeeFixture();
});
afterAll(() => ground.close());

const coral = SEED_PAIRS.find(({ symbol }) => symbol === 'CORAL')!;
const bitcoin = SEED_PAIRS.find(({ symbol }) => symbol === 'LBIT')!;

/** A buy, and a sell of half of what it brought, so that fees accrue in both tokens. */
async function tradeBothWays(market: FeeMarket, quoteRaw: bigint): Promise<void> {
  await market.tradeSeen('buy', quoteRaw);
  await market.tradeSeen('sell', (await market.holdings(market.trader.publicKey)).base / 2n);
}

const treasuryQuote = (market: FeeMarket) => balanceOf(ground.platform, market.quote, ground.wallets.treasury);
const platformBase = (market: FeeMarket) => balanceOf(ground.platform, market.base, ground.wallets.platform);

describe('the fees of a standard launch', () => {
  let market: FeeMarket;
  beforeAll(async () => {
    market = await ground.open({ mode: 'standard', feeTier: '1%' });
  });

  it('are collected to the unit: quote tokens to the treasury, launched tokens burned', async () => {
    await tradeBothWays(market, 5_000_000_000n);
    const [claimable, supply, held] = [await market.claimable(), await market.supply(), await treasuryQuote(market)];
    expect(claimable.baseRaw > 0n && claimable.quoteRaw > 0n).toBe(true);
    expect(await ground.run()).toBe(1);
    const [[harvest], [burn]] = [await market.harvests(), await market.burns()];
    expect(harvest).toMatchObject({ ...claimable, number: 1, quoteUsd: '1', priceSource: 'fixed', buybackBps: 5_000 });
    expect(harvest?.valueUsd).toBe(worthUsd(claimable.quoteRaw, 6, '1'));
    expect(burn).toMatchObject({ kind: 'fee-sweep', amountRaw: claimable.baseRaw });
    expect(Number(burn?.valueUsd)).toBeGreaterThan(0);
    expect((await treasuryQuote(market)) - held).toBe(claimable.quoteRaw);
    expect(supply - (await market.supply())).toBe(claimable.baseRaw);
    expect(await platformBase(market)).toBe(0n);
    expect(await market.claimable()).toEqual({ baseRaw: 0n, quoteRaw: 0n });
    expect(await market.sweeps()).toMatchObject([{ number: 1, state: 'done', tries: 1, problem: null }]);
  });

  it('are left where they are while nobody trades, and collected again after the next trade', async () => {
    expect(await ground.run()).toBe(0);
    expect(await market.sweeps()).toHaveLength(1);
    await market.tradeSeen('buy', 5_000_000_000n);
    const claimable = await market.claimable();
    expect(claimable.baseRaw).toBe(0n);
    expect(await ground.run()).toBe(1);
    expect((await market.harvests())[1]).toMatchObject({ ...claimable, number: 2 });
    // Without launched tokens nothing is burned.
    expect(await market.burns()).toHaveLength(1);
  });

  it('are left until they are worth a dollar', async () => {
    await market.tradeSeen('buy', 50_000_000n);
    expect((await market.claimable()).quoteRaw).toBeLessThan(1_000_000n);
    expect(await ground.run()).toBe(0);
    await market.tradeSeen('buy', 200_000_000n);
    const { quoteRaw } = await market.claimable();
    expect(quoteRaw).toBeGreaterThan(1_000_000n);
    expect(await ground.run()).toBe(1);
    expect((await market.harvests())[2]?.quoteRaw).toBe(quoteRaw);
  });

  it('are burned to the unit although a stranger sends tokens to the account', async () => {
    await tradeBothWays(market, 5_000_000_000n);
    const dust = 12_345n;
    await market.send(ground.wallets.platform, dust);
    const [{ baseRaw }, supply] = [await market.claimable(), await market.supply()];
    expect(await ground.run()).toBe(1);
    expect(supply - (await market.supply())).toBe(baseRaw);
    expect(await platformBase(market)).toBe(dust);
  });
});

describe('the fees of a reward launch', () => {
  let market: FeeMarket;
  let depositTax: bigint;
  beforeAll(async () => {
    market = await ground.open({ mode: 'reward', rewardTaxBps: 100, quoteMint: bitcoin.mint, devBuyPercent: 1 });
    depositTax = TOTAL_SUPPLY_RAW / 100n;
  });

  it('burn the tax on the deposit first, once; the tax on trades stays the holders’', async () => {
    await tradeBothWays(market, 10_000_000n);
    expect(await feeSweeps.depositTax(ground.platform.db, market.mint)).toEqual({ isBurned: false, excessRaw: 0n });
    const [claimable, supply] = [await market.claimable(), await market.supply()];
    const inVault = await withheldIn(await vaultOf(market));
    // The deposit loses a little to rounding, which stays in the launch wallet untaxed.
    const [withheldOfDeposit, ofTrades] = [await depositTaxOf(market), inVault - (await depositTaxOf(market))];
    expect(depositTax - withheldOfDeposit).toBeLessThan(10n ** 6n);
    expect(ofTrades).toBeGreaterThan(0n);
    expect(await ground.run()).toBe(2);
    const burned = claimable.baseRaw - transferTax(market.base.transferFee, claimable.baseRaw);
    expect((await market.burns()).map(({ amountRaw }) => amountRaw).sort()).toEqual([withheldOfDeposit, burned].sort());
    expect(supply - (await market.supply())).toBe(withheldOfDeposit + burned);
    expect((await market.harvests())[0]).toMatchObject({ baseRaw: burned, quoteRaw: claimable.quoteRaw });
    expect(await feeSweeps.depositTax(ground.platform.db, market.mint)).toEqual({
      isBurned: true,
      excessRaw: ofTrades,
    });
    expect(await balanceOf(ground.platform, market.base, ground.wallets.rewards)).toBe(ofTrades);
  });

  it('burn nothing of the tax again', async () => {
    await tradeBothWays(market, 10_000_000n);
    const withheld = await withheldIn(await vaultOf(market));
    expect(await ground.run()).toBe(1);
    expect(await withheldIn(await vaultOf(market))).toBe(withheld);
    expect(await market.burns()).toHaveLength(3);
  });
});

describe('fees in quote tokens', () => {
  it('with many decimals and a low price are valued exactly', async () => {
    const market = await ground.open({ mode: 'standard', feeTier: '2%', quoteMint: coral.mint });
    await market.tradeSeen('buy', 9_000_000_000_007n);
    const { quoteRaw } = await market.claimable();
    expect(await ground.run()).toBe(1);
    const [harvest] = await market.harvests();
    expect(harvest).toMatchObject({ quoteRaw, valueUsd: worthUsd(quoteRaw, 9, '0.042') });
  });

  describe('that are taxed', () => {
    let quoteMint: string;
    let market: FeeMarket;
    beforeAll(async () => {
      quoteMint = (await makeTaxedToken(ground.platform)).toBase58();
      market = await ground.open({ quoteMint });
      await market.tradeSeen('buy', 5_000_000_000n);
    });

    it('count as what arrived in the treasury', async () => {
      const { quoteRaw } = await market.claimable();
      expect(await ground.run()).toBe(1);
      const net = quoteRaw - transferTax(market.quote.transferFee, quoteRaw);
      expect(net).toBeLessThan(quoteRaw);
      expect(await market.harvests()).toMatchObject([{ quoteRaw: net, valueUsd: worthUsd(net, 6, '1') }]);
      expect(await treasuryQuote(market)).toBe(net);
    });

    it('and have no fresh price are collected all the same, count as zero, and are counted', async () => {
      const { db } = ground.platform;
      await market.tradeSeen('buy', 5_000_000_000n);
      await db.updateTable('pairs').set({ priceSource: 'pyth' }).where('mint', '=', quoteMint).execute();
      const before = await revenue.totals(db);
      expect(await prices.latest(db, quoteMint)).not.toBeNull();
      expect(await ground.run()).toBe(1);
      expect((await market.harvests())[1]).toMatchObject({ quoteUsd: null, valueUsd: null, pricedAt: null });
      const { harvests, unpriced } = before;
      expect(await revenue.totals(db)).toEqual({ ...before, harvests: harvests + 1, unpriced: unpriced + 1 });
    });
  });

  it('whose Fee Key the platform wallet gave away, or cannot pay for, stay, and the operator is told', async () => {
    const market = await ground.open();
    await market.tradeSeen('buy', 5_000_000_000n);
    const [key, claimable] = [market.platformKey, await market.claimable()];
    const wallet = Keypair.fromSecretKey(bs58.decode(ground.platform.secrets.PLATFORM_SECRET_KEY));
    const feeKey = { mint: key, decimals: 0, tokenProgram: TOKEN_PROGRAM_ID };
    const [from, to] = [accountOf(feeKey, wallet.publicKey), accountOf(feeKey, market.trader.publicKey)];
    const give = createTransferInstruction(from, to, wallet.publicKey, 1n);
    await land(ground.platform, wallet, [openAccount(feeKey, market.trader.publicKey, wallet), give]);
    await ground.activities.planFeeSweeps('');
    const [due] = await ground.activities.takeDueFeeSweeps();
    await expect(ground.activities.sweepFees(due!)).rejects.toThrow(`Fee Key ${key.toBase58()} lies with`);
    expect(await market.claimable()).toEqual(claimable);
    const problem = expect.stringContaining(market.trader.publicKey.toBase58()) as string;
    const poor = { ...ground.deps.signers.platform, publicKey: Keypair.generate().publicKey };
    const own = { ...ground.deps, signers: { ...ground.deps.signers, platform: poor } };
    await expect(createFeeSweepActivities(own).sweepFees(due!)).rejects.toThrow('holds 0 lamports');
    await expect(ground.activities.sweepFees(due!)).rejects.toThrow(/Fee Key/);
    const open = await feeSweeps.open(ground.platform.db, { failing: true }, 10);
    expect(open).toMatchObject([{ mint: market.mint, state: 'planned', problem }]);
  });
});

async function vaultOf(market: FeeMarket): Promise<PublicKey> {
  return accountOf(market.base, market.pool);
}

async function withheldIn(account: PublicKey): Promise<bigint> {
  const state = await getAccount(ground.platform.connection, account, 'confirmed', TOKEN_2022_PROGRAM_ID);
  return getTransferFeeAmount(state)?.withheldAmount ?? 0n;
}

/** Tax on a deposit as the chain has it: what the launch wallet lost and neither vault nor dev buyer got, less the buyer's tax. */
async function depositTaxOf({ mint, prepared, pool, base, creator }: FeeMarket): Promise<bigint> {
  const { db, connection } = ground.platform;
  const purpose = `launch/${prepared.quoteId}/3`;
  const rows = db
    .selectFrom('chainTransactions')
    .select('signature')
    .where('purpose', '=', purpose as never);
  const { signature } = await rows.executeTakeFirstOrThrow();
  const landed = await connection.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  });
  const held = (when: 'preTokenBalances' | 'postTokenBalances', owner: PublicKey) =>
    BigInt(
      landed?.meta?.[when]?.find((one) => one.mint === mint && one.owner === owner.toBase58())?.uiTokenAmount.amount ??
        0,
    );
  const gained = (owner: PublicKey) => held('postTokenBalances', owner) - held('preTokenBalances', owner);
  const bought = gained(creator.address);
  const boughtGross = TOTAL_SUPPLY_RAW / 100n;
  expect(bought).toBe(boughtGross - transferTax(base.transferFee, boughtGross));
  return -gained(new PublicKey(prepared.launchWallet)) - gained(pool) - boughtGross;
}
