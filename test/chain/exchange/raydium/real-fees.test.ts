import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transferTax } from '../../../../chain/exchange/pool-math.ts';
import { type LaunchCase, nameOf } from '../../../support/exchange/launch-request.ts';
import {
  baseSideOf,
  type LaunchUnderTest,
  openTrader,
  prepareLaunch,
  quoteAndBuild,
  swap,
  type Trader,
} from '../../../support/exchange/launched-pool.ts';
import { balances, collectDirectly } from '../../../support/exchange/raydium/collecting.ts';
import { randomOrder, seededBits } from '../../../support/exchange/raydium/random-orders.ts';
import { hasClmm, type RaydiumUnderTest, startRaydium } from '../../../support/exchange/raydium/real-program.ts';

const USD = 10n ** 6n;
const TRADES_PER_CASE = 128;

/** Both mint orders, classic and taxed bases: 512 trades in all. */
const CASES: readonly (LaunchCase & { readonly seed: bigint })[] = [
  { fee: { mode: 'standard', feeTier: '1%' }, baseFirst: true, quoteProgram: 'classic', devBuy: true, seed: 11n },
  { fee: { mode: 'standard', feeTier: '2%' }, baseFirst: false, quoteProgram: 'token-2022', devBuy: true, seed: 22n },
  { fee: { mode: 'reward', rewardTaxBps: 100 }, baseFirst: true, quoteProgram: 'token-2022', devBuy: true, seed: 33n },
  { fee: { mode: 'reward', rewardTaxBps: 300 }, baseFirst: false, quoteProgram: 'classic', devBuy: true, seed: 44n },
];

describe.runIf(hasClmm).concurrent("trades and fees on Raydium's real program", () => {
  let started: RaydiumUnderTest;
  beforeAll(async () => {
    started = await startRaydium();
  });
  afterAll(() => started.close());

  test.each(CASES.map((launch) => ({ name: nameOf(launch), launch })))(
    `${TRADES_PER_CASE} random trades fill to the unit, and what is claimable is what is collected: $name`,
    async ({ launch }) => {
      const opened = await openPool(started, launch);
      const trader = await openTrader(opened);
      await swap(opened, trader, { side: 'buy', exact: 'in', amount: 20_000n * USD });
      const bits = seededBits(launch.seed);
      let landed = 0;
      while (landed < TRADES_PER_CASE) {
        if (!(await tradesToTheUnit(opened, trader, bits))) continue;
        landed++;
        if (landed === TRADES_PER_CASE / 2) await expectCollections(started, opened);
      }
      await expectCollections(started, opened);
    },
  );

  test.each([
    { feeTier: '1%', ppm: 4_200n },
    { feeTier: '2%', ppm: 12_600n },
  ] as const)(
    'the first position of a $feeTier pool earns $ppm ppm of what traders pay in',
    async ({ feeTier, ppm }) => {
      const fee = { mode: 'standard', feeTier } as const;
      const opened = await openPool(started, { fee, baseFirst: true, quoteProgram: 'classic', devBuy: false });
      const trader = await openTrader(opened);
      const volume = 100_000n * USD;
      await swap(opened, trader, { side: 'buy', exact: 'in', amount: volume });
      await started.chain.openAccount(opened.request.quote, opened.request.launchWallet);
      const { taken } = await collectDirectly(opened, started.connection, 0);
      const earned = (taken[1] * 1_000_000n) / volume;
      expect(earned).toBeGreaterThanOrEqual(ppm - 1n);
      expect(earned).toBeLessThanOrEqual(ppm);
    },
  );
});

async function openPool({ exchange, chain }: RaydiumUnderTest, launch: LaunchCase): Promise<LaunchUnderTest> {
  const prepared = await prepareLaunch(exchange, chain, launch);
  await prepared.succeed(exchange.buildPool(prepared.request));
  return prepared;
}

/** Lands a random order and compares every amount, price and tick with the quote; false where it was not fillable. */
async function tradesToTheUnit(
  launch: LaunchUnderTest,
  trader: Trader,
  bits: (count: number) => bigint,
): Promise<boolean> {
  const { exchange, request, chain } = launch;
  const [base = 0n] = await balances(launch, [trader.baseAccount]);
  const order = randomOrder(bits, { base: base / 4n + 1n, quote: 2_000n * USD });
  const state = await launch.state();
  const quoted = exchange.quoteSwap(state, { ...order, base: request.base, quote: request.quote });
  const [held = 0n] = await balances(launch, [order.side === 'buy' ? trader.quoteAccount : trader.baseAccount]);
  if (!quoted.fillable || quoted.amountIn > held) return false;
  const { group, quote, inputTokenAccount, outputTokenAccount } = await quoteAndBuild(launch, trader, order);
  const accounts = [inputTokenAccount, outputTokenAccount, state.vault0, state.vault1];
  const before = await balances(launch, accounts);
  const landed = await chain.succeed(trader.wallet, group);
  const after = await balances(launch, accounts);
  const moved = after.map((amount, index) => amount - (before[index] ?? 0n));
  const inputIsToken0 = state.token0.equals(order.side === 'buy' ? request.quote.mint : request.base.mint);
  const vaults = inputIsToken0 ? [quote.poolIn, -quote.poolOut] : [-quote.poolOut, quote.poolIn];
  expect(moved, JSON.stringify({ ...order, amount: String(order.amount) })).toEqual([
    -quote.amountIn,
    quote.amountOut,
    ...vaults,
  ]);
  const [decoded] = exchange.decodeSwaps(landed.response, baseSideOf(launch.request));
  expect([decoded?.sqrtPriceAfterX64, decoded?.tickAfter]).toEqual([quote.sqrtPriceAfterX64, quote.tickAfter]);
  const next = await launch.state();
  expect([next.sqrtPriceX64, next.tick]).toEqual([quote.sqrtPriceAfterX64, quote.tickAfter]);
  return true;
}

async function expectCollections({ connection }: RaydiumUnderTest, launch: LaunchUnderTest): Promise<void> {
  const { base, plan } = launch.request;
  for (const index of [0, 1] as const) {
    const { claimable, taken, received } = await collectDirectly(launch, connection, index);
    expect(claimable.every((fee) => fee > 0n)).toBe(true);
    expect(taken).toEqual(claimable);
    const baseSide = plan.opening.baseIsToken0 ? 0 : 1;
    const net = claimable.map((fee, side) => (side === baseSide ? fee - transferTax(base.transferFee, fee) : fee));
    expect(received).toEqual(net);
    const again = await collectDirectly(launch, connection, index);
    expect([again.claimable, again.taken]).toEqual([
      [0n, 0n],
      [0n, 0n],
    ]);
  }
}
