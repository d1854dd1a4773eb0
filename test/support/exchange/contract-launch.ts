import { Keypair } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import type { LaunchPoolRequest, PoolState } from '../../../chain/exchange/exchange.ts';
import { quoteDevBuy } from '../../../chain/exchange/dev-buy.ts';
import { depositOf } from '../../../chain/exchange/opening.ts';
import { transferTax } from '../../../chain/exchange/pool-math.ts';
import { feeModelOf } from '../../../domain/fee-models.ts';
import { DEV_BUY_RAW, type LaunchCase, nameOf } from './launch-request.ts';
import {
  baseSideOf,
  LAUNCH_WALLET_QUOTE_RAW,
  type LaunchUnderTest,
  launchPool,
  openTrader,
  prepareLaunch,
  swap,
} from './launched-pool.ts';
import { accountOf } from './test-chain.ts';
import type { ExchangeUnderTest } from './exchange-under-test.ts';

/** Kinds of launch that cover both mint orders, both tiers, both taxes, both token programs of the quote. */
export const LAUNCH_CASES: readonly LaunchCase[] = [
  { fee: { mode: 'standard', feeTier: '1%' }, baseFirst: true, quoteProgram: 'classic', devBuy: true },
  { fee: { mode: 'standard', feeTier: '1%' }, baseFirst: false, quoteProgram: 'token-2022', devBuy: true },
  { fee: { mode: 'standard', feeTier: '2%' }, baseFirst: true, quoteProgram: 'token-2022', devBuy: false },
  { fee: { mode: 'standard', feeTier: '2%' }, baseFirst: false, quoteProgram: 'classic', devBuy: true },
  { fee: { mode: 'reward', rewardTaxBps: 100 }, baseFirst: true, quoteProgram: 'classic', devBuy: true },
  { fee: { mode: 'reward', rewardTaxBps: 300 }, baseFirst: false, quoteProgram: 'token-2022', devBuy: true },
  { fee: { mode: 'reward', rewardTaxBps: 300 }, baseFirst: true, quoteProgram: 'classic', devBuy: false },
];

/** Promises about making a pool and locking its positions. */
export function launchContract(context: () => ExchangeUnderTest): void {
  describe.each(LAUNCH_CASES.map((launch) => ({ name: nameOf(launch), launch })))('a launch: $name', ({ launch }) => {
    test('opens the planned pool, fills the dev buy as its first trade and locks both positions', async () => {
      const { exchange, chain } = context();
      const prepared = await prepareLaunch(exchange, chain, launch);
      const { request, pool } = prepared;
      expect(await exchange.readPool(pool)).toBeNull();
      const landed = await prepared.succeed(exchange.buildPool(request));
      const opened = await prepared.state();
      expectPlannedPool(request, opened);
      await expectDevBuy(prepared, opened);
      const swaps = exchange.decodeSwaps(landed.response, baseSideOf(request));
      expect(swaps.map(({ side, baseRaw, wallet }) => [side, baseRaw, wallet.toBase58()])).toEqual(
        launch.devBuy ? [['buy', DEV_BUY_RAW, request.launchWallet.toBase58()]] : [],
      );
      const [feeKey] = prepared.parties.feeKeyMints;
      expect(await exchange.readLockedPosition(pool, feeKey.publicKey)).toBeNull();
      const locks = await prepared.succeed(exchange.buildLocks(request));
      expect(exchange.decodeSwaps(locks.response, baseSideOf(request))).toEqual([]);
      await expectLocked(prepared);
    });
  });

  test('a pool can be made only once, and locks only once', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, caseAt(0));
    expect((await launch.land(exchange.buildPool(launch.request))).err).not.toBeNull();
    expect((await launch.land(exchange.buildLocks(launch.request))).err).not.toBeNull();
    await expectLocked(launch);
  });

  test('locks cannot land before the pool, and the pool not before the mint', async () => {
    const { exchange, chain } = context();
    const prepared = await prepareLaunch(exchange, chain, caseAt(0));
    expect((await prepared.land(exchange.buildLocks(prepared.request))).err).not.toBeNull();
    const unknown = { ...prepared.request.base, mint: Keypair.generate().publicKey };
    const early = exchange.buildPool({ ...prepared.request, base: unknown, devBuy: null });
    expect((await prepared.land(early)).err).not.toBeNull();
    expect(await exchange.readPool(prepared.pool)).toBeNull();
  });

  test('a trade that lands between pool and locks does not keep the locks from landing', async () => {
    const { exchange, chain } = context();
    const prepared = await prepareLaunch(exchange, chain, caseAt(0));
    const locks = exchange.buildLocks(prepared.request);
    await prepared.succeed(exchange.buildPool(prepared.request));
    await swap(prepared, await openTrader(prepared), { side: 'buy', exact: 'in', amount: 5_000_000n });
    await prepared.succeed(locks);
    await expectLocked(prepared);
  });

  test('the rent it names is what pool and locks take from the launch wallet, within the fees of the two transactions', async () => {
    const { exchange, chain } = context();
    const prepared = await prepareLaunch(exchange, chain, caseAt(5));
    const before = await chain.connection.getBalance(prepared.request.launchWallet, 'confirmed');
    const pool = await prepared.succeed(exchange.buildPool(prepared.request));
    const locks = await prepared.succeed(exchange.buildLocks(prepared.request));
    const after = await chain.connection.getBalance(prepared.request.launchWallet, 'confirmed');
    const fees = (pool.response.meta?.fee ?? 0) + (locks.response.meta?.fee ?? 0);
    const rent = await exchange.launchRent(prepared.request);
    expect(BigInt(before - after - fees)).toBeLessThanOrEqual(rent);
    expect(BigInt(before - after - fees)).toBeGreaterThan((rent * 8n) / 10n);
  });

  test('pools are read in one go, in the order asked for, null where there is none', async () => {
    const { exchange, chain } = context();
    const [first, second] = [
      await launchPool(exchange, chain, caseAt(0)),
      await launchPool(exchange, chain, caseAt(3)),
    ];
    const pools = [second.pool, Keypair.generate().publicKey, first.pool];
    const states = await exchange.readPools(pools);
    expect(states.map((state) => state?.pool.toBase58() ?? null)).toEqual([
      second.pool.toBase58(),
      null,
      first.pool.toBase58(),
    ]);
  });

  test('a dev buy beyond the agreed price is not built', async () => {
    const { exchange, chain } = context();
    const { request } = await prepareLaunch(exchange, chain, caseAt(0));
    if (!request.devBuy) throw new Error('the case has no dev buy');
    const dear = { ...request, devBuy: { ...request.devBuy, maxQuoteInRaw: 1n } };
    expect(() => exchange.buildPool(dear)).toThrow(RangeError);
  });
}

function caseAt(index: number): LaunchCase {
  const launch = LAUNCH_CASES[index];
  if (!launch) throw new RangeError(`no launch case ${index}`);
  return launch;
}

function expectPlannedPool({ plan, base, quote, devBuy }: LaunchPoolRequest, state: PoolState): void {
  const { baseIsToken0, tick, sqrtPriceX64 } = plan.opening;
  const [token0, token1] = baseIsToken0 ? [base, quote] : [quote, base];
  expect(state.token0.equals(token0.mint) && state.token1.equals(token1.mint)).toBe(true);
  expect(state).toMatchObject({ fees: plan.fees, tickLower: plan.tickLower, tickUpper: plan.tickUpper });
  expect(state.liquidity).toBe(plan.positions[0].liquidity + plan.positions[1].liquidity);
  if (devBuy) expect(state.sqrtPriceX64).not.toBe(BigInt(sqrtPriceX64));
  else expect([state.tick, state.sqrtPriceX64]).toEqual([tick, BigInt(sqrtPriceX64)]);
}

/** The creator gets the dev buy net of one tax; the vaults hold what the arithmetic says. */
async function expectDevBuy({ chain, request, parties }: LaunchUnderTest, state: PoolState): Promise<void> {
  const { base, plan } = request;
  const bought = request.devBuy ? DEV_BUY_RAW : 0n;
  const received = await chain.balance(accountOf(base, parties.creator.publicKey));
  expect(received).toBe(bought - transferTax(base.transferFee, bought));
  const fill = quoteDevBuy(plan, base, request.quote, { tokensRaw: bought });
  expect(fill.fill).toBe(bought > 0n ? 'filled' : 'tooSmall');
  const { netTokensRaw, quoteRaw } = fill.fill === 'filled' ? fill : { netTokensRaw: 0n, quoteRaw: 0n };
  expect(netTokensRaw).toBe(received);
  const left = await chain.balance(accountOf(request.quote, request.launchWallet));
  expect(LAUNCH_WALLET_QUOTE_RAW - left).toBe(quoteRaw);
  const [baseVault, quoteVault] = plan.opening.baseIsToken0
    ? [state.vault0, state.vault1]
    : [state.vault1, state.vault0];
  const deposit = plan.positions.reduce((sum, { liquidity }) => sum + depositOf(plan, liquidity), 0n);
  const inVault = await chain.balance(baseVault);
  expect(inVault).toBeGreaterThanOrEqual(deposit - bought);
  expect(inVault).toBeLessThanOrEqual(deposit - bought + 2n);
  expect((await chain.balance(quoteVault)) > 0n).toBe(bought > 0n);
}

async function expectLocked({ exchange, pool, parties, request }: LaunchUnderTest): Promise<void> {
  const { plan, feeKeyHolders } = request;
  for (const [index, mint] of parties.feeKeyMints.entries()) {
    const position = await exchange.readLockedPosition(pool, mint.publicKey);
    expect(position).toMatchObject({ locked: true, tickLower: plan.tickLower, tickUpper: plan.tickUpper });
    expect(position?.holder?.toBase58()).toBe(feeKeyHolders[index]?.toBase58());
    expect(position?.liquidity).toBe(plan.positions[index]?.liquidity);
  }
  const [first, second] = feeModelOf(request.fee).positions;
  const [a, b] = plan.positions;
  const share = Number((a.liquidity * 10_000n) / (a.liquidity + b.liquidity));
  expect(share).toBeGreaterThanOrEqual(first.shareBps - 1);
  expect(share).toBeLessThanOrEqual(10_000 - second.shareBps);
}
