import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodePoolState } from '../../../../chain/exchange/raydium/accounts/pool-state.ts';
import {
  ammConfigAddress,
  observationAddress,
  tickArrayAddress,
} from '../../../../chain/exchange/raydium/addresses.ts';
import { LAUNCH_CASES } from '../../../support/exchange/contract-launch.ts';
import {
  launchPool,
  type LaunchUnderTest,
  openTrader,
  quoteAndBuild,
  swap,
  type Trader,
} from '../../../support/exchange/launched-pool.ts';
import { balances } from '../../../support/exchange/raydium/collecting.ts';
import { strangersPosition } from '../../../support/exchange/raydium/strangers-position.ts';
import { decodeObservation } from '../../../support/exchange/raydium/observation.ts';
import {
  accountWith,
  configAccount,
  hasClmm,
  type RaydiumUnderTest,
  startRaydium,
} from '../../../support/exchange/raydium/real-program.ts';

const USD = 10n ** 6n;

describe.runIf(hasClmm)("reading what Raydium's real program writes", () => {
  let started: RaydiumUnderTest;
  let launch: LaunchUnderTest;
  let trader: Trader;
  beforeAll(async () => {
    started = await startRaydium();
    const [first] = LAUNCH_CASES;
    if (!first) throw new RangeError('no launch case');
    launch = await launchPool(started.exchange, started.chain, first);
    trader = await openTrader(launch);
    await swap(launch, trader, { side: 'buy', exact: 'in', amount: 30_000n * USD });
  });
  afterAll(() => started.close());

  test('the price history names its pool', async () => {
    const address = observationAddress(launch.pool);
    const history = decodeObservation(address, await started.connection.getAccountInfo(address));
    expect(history.pool.toBase58()).toBe(launch.pool.toBase58());
    expect(history.observations).toHaveLength(100);
    expect(history.observations[history.index]?.timestamp).toBeGreaterThan(0);
  });

  test('protocol and fund are owed 12 % and 4 % of the fees', async () => {
    const pool = decodePoolState(launch.pool, await started.connection.getAccountInfo(launch.pool));
    const fees = (30_000n * USD) / 100n;
    expect(pool.protocolFees1 - (fees * 12n) / 100n).toBeLessThan(10n * USD);
    expect(pool.protocolFees1).toBeGreaterThanOrEqual((fees * 12n) / 100n);
    const ratio = (pool.protocolFees1 * 1_000n) / pool.fundFees1;
    expect(ratio).toBeGreaterThanOrEqual(2_999n);
    expect(ratio).toBeLessThanOrEqual(3_001n);
  });

  test("a stranger's position changes quotes to the unit, and is none of the launch's", async () => {
    const before = await launch.state();
    const position = await strangersPosition(launch, trader);
    await launch.chain.succeed(trader.wallet, position.open, [position.mint]);
    const after = await launch.state();
    expect(after.ticks.length).toBe(before.ticks.length + 2);
    expect([after.liquidity, after.tickLower, after.tickUpper]).toEqual([
      before.liquidity,
      before.tickLower,
      before.tickUpper,
    ]);
    expect(after.activeLiquidity).toBeGreaterThan(before.activeLiquidity);
    for (const side of ['buy', 'sell', 'buy'] as const) {
      const amount = side === 'buy' ? 40_000n * USD : 30_000_000n * 10n ** 9n;
      const { quote, group, inputTokenAccount, outputTokenAccount } = await quoteAndBuild(launch, trader, {
        side,
        exact: 'in',
        amount,
      });
      const accounts = [inputTokenAccount, outputTokenAccount];
      const [in0 = 0n, out0 = 0n] = await balances(launch, accounts);
      await started.chain.succeed(trader.wallet, group);
      const [in1 = 0n, out1 = 0n] = await balances(launch, accounts);
      expect([in0 - in1, out1 - out0]).toEqual([quote.amountIn, quote.amountOut]);
      expect((await launch.state()).sqrtPriceX64).toBe(quote.sqrtPriceAfterX64);
    }
  });

  test('a pool whose swaps Raydium has stopped is answered as not fillable', async () => {
    const account = await started.connection.getAccountInfo(launch.pool);
    if (!account) throw new Error('the pool is gone');
    const stopped = Buffer.from(account.data);
    stopped.writeUInt8(1 << 4, 389);
    const put = (data: Buffer) =>
      started.localnet.control.setAccounts([[launch.pool.toBase58(), accountWith(data, account.owner)]]);
    put(stopped);
    const { base, quote } = launch.request;
    const order = { side: 'buy', exact: 'in', amount: USD, base, quote } as const;
    expect(started.exchange.quoteSwap(await launch.state(), order)).toMatchObject({ fillable: false });
    put(account.data);
    expect(started.exchange.quoteSwap(await launch.state(), order)).toMatchObject({ fillable: true });
  });

  test('an account that is no pool is refused, not misread', async () => {
    const array = tickArrayAddress(launch.pool, (await launch.state()).tickUpper, 120);
    await expect(started.exchange.readPool(array)).rejects.toThrow(/is no PoolState/);
    await expect(started.exchange.readPool(ammConfigAddress(3))).rejects.toThrow(/is no PoolState/);
  });

  test('a tier that is missing, or whose rate has changed, is closed', async () => {
    const { control } = started.localnet;
    const [address, account] = configAccount(9, 25_000);
    control.setAccounts([[address, account]]);
    await expect(started.exchange.poolFees('2%')).rejects.toThrow(/closed.*25000 ppm/);
    control.setAccounts([[address, null]]);
    await expect(started.exchange.poolFees('2%')).rejects.toThrow(/there is no configuration/);
    control.setAccounts([configAccount(9, 20_000)]);
    expect((await started.exchange.poolFees('2%')).feePpm).toBe(20_000);
  });
});
