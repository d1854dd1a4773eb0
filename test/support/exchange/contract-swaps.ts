import { describe, expect, test } from 'vitest';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { LAUNCH_CASES } from './contract-launch.ts';
import type { ExchangeUnderTest } from './exchange-under-test.ts';
import { nameOf } from './launch-request.ts';
import {
  baseSideOf,
  filled,
  launchPool,
  type LaunchUnderTest,
  openTrader,
  type Order,
  quoteAndBuild,
  swap,
  type Trader,
} from './launched-pool.ts';

const USD = 10n ** 6n;
const TOKEN = 10n ** 9n;

/** Both sides, both exact ends, from dust to a large part of the pool. */
const ORDERS: readonly Order[] = [
  { side: 'buy', exact: 'in', amount: 250n * USD },
  { side: 'buy', exact: 'out', amount: 3_333_333n * TOKEN + 7n },
  { side: 'sell', exact: 'in', amount: 1_234_567n * TOKEN + 891n },
  { side: 'sell', exact: 'out', amount: 5n * USD + 13n },
  { side: 'buy', exact: 'in', amount: 997n },
  { side: 'sell', exact: 'in', amount: 40_000_000_019n },
  { side: 'buy', exact: 'in', amount: 60_000n * USD },
];

/** Promises about quoting and landing swaps. */
export function swapContract(context: () => ExchangeUnderTest): void {
  describe.each(LAUNCH_CASES.map((launch) => ({ name: nameOf(launch), launch })))('swaps: $name', ({ launch }) => {
    test('land with exactly the amounts, price and tick they were quoted with', async () => {
      const { exchange, chain } = context();
      const launched = await launchPool(exchange, chain, launch);
      const trader = await openTrader(launched);
      for (const order of ORDERS) await expectFill(launched, trader, order);
    });
  });

  test('a sell that is larger than the pool can fill is answered, not thrown, and not built', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, caseAt(0));
    const trader = await openTrader(launch);
    const { base, quote } = launch.request;
    const state = await launch.state();
    const order = { side: 'sell', exact: 'in', amount: TOTAL_SUPPLY_RAW, base, quote } as const;
    expect(exchange.quoteSwap(state, order)).toMatchObject({ fillable: false });
    const [inputTokenAccount, outputTokenAccount] = [trader.baseAccount, trader.quoteAccount];
    const accounts = { inputTokenAccount, outputTokenAccount, owner: trader.wallet.publicKey };
    expect(() => exchange.buildSwap({ ...order, ...accounts, state, limit: 0n })).toThrow(RangeError);
  });

  test('nothing can be sold into a pool that nobody has bought from', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, caseAt(2));
    const { base, quote } = launch.request;
    const order = { side: 'sell', exact: 'in', amount: TOKEN, base, quote } as const;
    expect(exchange.quoteSwap(await launch.state(), order)).toMatchObject({ fillable: false });
  });

  test('an amount of nothing, or one that fills to nothing, is not fillable', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, caseAt(0));
    const { base, quote } = launch.request;
    const state = await launch.state();
    for (const amount of [0n, -1n, 1n, 1n << 64n]) {
      const order = { side: 'buy', exact: 'in', amount, base, quote } as const;
      expect(exchange.quoteSwap(state, order)).toMatchObject({ fillable: false });
    }
  });

  test('a swap whose limit is missed is not built', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, caseAt(0));
    const trader = await openTrader(launch);
    const { base, quote } = launch.request;
    const state = await launch.state();
    const order = { side: 'buy', exact: 'in', amount: 10n * USD, base, quote } as const;
    const limit = filled(exchange.quoteSwap(state, order)).amountOut + 1n;
    const [inputTokenAccount, outputTokenAccount] = [trader.quoteAccount, trader.baseAccount];
    const accounts = { inputTokenAccount, outputTokenAccount, owner: trader.wallet.publicKey };
    expect(() => exchange.buildSwap({ ...order, ...accounts, state, limit })).toThrow(/at least/);
  });

  test('a swap with exact limits fails once another swap has moved the price', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, caseAt(0));
    const [first, second] = [await openTrader(launch), await openTrader(launch)];
    const order = { side: 'buy', exact: 'in', amount: 50n * USD } as const;
    const [early, late] = [await quoteAndBuild(launch, first, order), await quoteAndBuild(launch, second, order)];
    await chain.succeed(first.wallet, early.group);
    expect((await chain.land(second.wallet, late.group)).err).not.toBeNull();
    expect(await chain.balance(second.baseAccount)).toBe(0n);
    await swap(launch, second, order);
    expect(await chain.balance(second.baseAccount)).toBeGreaterThan(0n);
  });

  test('of six swaps sent at once on one state exactly one lands, and the pool follows that one', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, caseAt(0));
    const traders = await Promise.all(Array.from({ length: 6 }, () => openTrader(launch)));
    const built = await Promise.all(
      traders.map((trader, index) =>
        quoteAndBuild(launch, trader, { side: 'buy', exact: 'in', amount: BigInt(index + 1) * USD }),
      ),
    );
    const landed = await Promise.all(
      built.map(({ group }, index) => chain.land(traders[index]?.wallet ?? chain.bank, group)),
    );
    const winner = built.filter((_, index) => landed[index]?.err === null);
    expect(winner).toHaveLength(1);
    expect((await launch.state()).sqrtPriceX64).toBe(winner[0]?.quote.sqrtPriceAfterX64);
  });

  test('a swap needs the signature of the wallet that pays', async () => {
    const { exchange, chain } = context();
    const launch = await launchPool(exchange, chain, caseAt(0));
    const [victim, thief] = [await openTrader(launch), await openTrader(launch)];
    const { group } = await quoteAndBuild(launch, victim, { side: 'buy', exact: 'in', amount: USD });
    await expect(chain.land(thief.wallet, group)).rejects.toThrow(/signature/);
  });
}

async function expectFill(launch: LaunchUnderTest, trader: Trader, order: Order): Promise<void> {
  const { chain, exchange } = launch;
  const { quote, group, state, inputTokenAccount, outputTokenAccount } = await quoteAndBuild(launch, trader, order);
  const vaults = [state.vault0, state.vault1];
  const accounts = [inputTokenAccount, outputTokenAccount, ...vaults];
  const before = await Promise.all(accounts.map((account) => chain.balance(account)));
  const landed = await chain.succeed(trader.wallet, group);
  const after = await Promise.all(accounts.map((account) => chain.balance(account)));
  const [input, output, vault0, vault1] = after.map((amount, index) => amount - (before[index] ?? 0n));
  expect([input, output]).toEqual([-quote.amountIn, quote.amountOut]);
  const token0IsInput = state.token0.equals(
    order.side === 'buy' ? launch.request.quote.mint : launch.request.base.mint,
  );
  expect([vault0, vault1]).toEqual(token0IsInput ? [quote.poolIn, -quote.poolOut] : [-quote.poolOut, quote.poolIn]);
  const next = await launch.state();
  expect([next.sqrtPriceX64, next.tick]).toEqual([quote.sqrtPriceAfterX64, quote.tickAfter]);
  const [baseRaw, quoteRaw] = order.side === 'buy' ? [quote.poolOut, quote.poolIn] : [quote.poolIn, quote.poolOut];
  expect(exchange.decodeSwaps(landed.response, baseSideOf(launch.request))).toEqual([
    {
      pool: launch.pool,
      side: order.side,
      wallet: trader.wallet.publicKey,
      baseRaw,
      quoteRaw,
      sqrtPriceAfterX64: quote.sqrtPriceAfterX64,
      tickAfter: quote.tickAfter,
      mark: exchange.markIn(await tradedPartOf(launch)),
    },
  ]);
}

async function tradedPartOf({ chain, exchange, pool }: LaunchUnderTest): Promise<Buffer> {
  const account = await chain.connection.getAccountInfo(pool, {
    commitment: 'confirmed',
    dataSlice: exchange.tradedPart,
  });
  return account?.data ?? Buffer.alloc(0);
}

function caseAt(index: number) {
  const launch = LAUNCH_CASES[index];
  if (!launch) throw new RangeError(`no launch case ${index}`);
  return launch;
}
