import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import type { LaunchCase } from '../exchange/launch-request.ts';
import { type LaunchUnderTest, openTrader, quoteAndBuild, type Trader } from '../exchange/launched-pool.ts';
import { accountOf, groupOf, transferInstruction } from '../exchange/test-chain.ts';
import type { MarketFixture } from './market-platform.ts';
import { quoteTokens } from './stored.ts';

/** A price that was set, for the recomputation. */
export interface SetPrice {
  readonly at: number;
  readonly usd: string;
}

/** A pool of the day with what was done to it. */
export interface DayPool {
  readonly launch: LaunchUnderTest;
  readonly trader: Trader;
  /** Prices of its quote token in the order they were set. */
  readonly prices: readonly SetPrice[];
  /** Square root of the price (Q64.64) after each swap as it was quoted, by signature. */
  readonly quoted: ReadonlyMap<string, bigint>;
}

/** How big a day is. */
export interface DaySize {
  readonly pools: number;
  readonly trades: number;
}

const KINDS: readonly Partial<LaunchCase>[] = [
  { fee: { mode: 'standard', feeTier: '1%' }, baseFirst: true },
  { fee: { mode: 'standard', feeTier: '2%' }, baseFirst: false, devBuy: true },
  { fee: { mode: 'reward', rewardTaxBps: 100 }, baseFirst: true, devBuy: true },
  { fee: { mode: 'reward', rewardTaxBps: 300 }, baseFirst: false, quoteProgram: 'token-2022' },
];

/** Pools that are launched, and traded, at once. */
const LANES = 10;

/** Launches the pools of a day. */
export async function openDay(ground: MarketFixture, { pools }: DaySize): Promise<DayPool[]> {
  const numbers = Array.from({ length: pools }, (_, number) => number);
  return inParallel(LANES, numbers, async (number) => {
    const launch = await ground.launch(KINDS[number % KINDS.length]);
    const trader = await openTrader(launch);
    const prices = [{ at: 0, usd: '0.9987' }];
    return { launch, trader, prices, quoted: new Map<string, bigint>() };
  });
}

/** Trades at random on all pools: buys, sells, dust, failures, and now and then a new price. Resolves with the number of trades. */
export async function tradeAllDay(ground: MarketFixture, day: readonly DayPool[], size: DaySize): Promise<number> {
  let left = size.trades;
  let done = 0;
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const mine = day.filter((_pool, index) => index % LANES === lane);
    while (left > 0 && mine.length > 0) {
      left--;
      const pool = mine[Math.floor(Math.random() * mine.length)]!;
      if (await tradeOnce(ground, pool)) done++;
      else left++;
    }
  });
  await Promise.all(lanes);
  return done;
}

async function tradeOnce(ground: MarketFixture, pool: DayPool): Promise<boolean> {
  const chance = Math.random();
  if (chance < 0.02) await changePrice(ground, pool);
  if (chance > 0.96) await disturb(pool);
  try {
    return await swapAtRandom(pool);
  } catch {
    // The state moved on under the order, or a fork took it: both happen to real traders.
    await sleep(50);
    return false;
  }
}

async function swapAtRandom(pool: DayPool): Promise<boolean> {
  const { launch, trader } = pool;
  const held = await launch.chain.balance(trader.baseAccount);
  const sells = held > 0n && Math.random() < 0.45;
  const amount = sells
    ? (held * BigInt(1 + Math.floor(Math.random() * 999))) / 1_000n
    : quoteTokens(1n) / 10n + BigInt(Math.floor(Math.random() * 2e9));
  if (amount === 0n) return false;
  const order = { side: sells ? 'sell' : 'buy', exact: 'in', amount } as const;
  const { group, quote } = await quoteAndBuild(launch, trader, order);
  const { signature } = await launch.chain.succeed(trader.wallet, group);
  (pool.quoted as Map<string, bigint>).set(signature, quote.sqrtPriceAfterX64);
  return true;
}

async function changePrice(ground: MarketFixture, { launch, prices }: DayPool): Promise<void> {
  const usd = (0.5 + Math.random()).toFixed(6);
  const at = ground.now();
  await ground.setPrice(launch.request.quote.mint, usd, at);
  (prices as SetPrice[]).push({ at, usd });
}

/** Sends dust to a vault, or more than there is. */
async function disturb({ launch, trader }: DayPool): Promise<void> {
  const held = await launch.chain.balance(trader.baseAccount);
  const amount = Math.random() < 0.5 ? 1n + held / 1_000_000n : held + 1n;
  const vault = accountOf(launch.request.base, launch.pool);
  const dust = transferInstruction(launch.request.base, trader.baseAccount, vault, trader.wallet.publicKey, amount);
  await launch.chain.land(trader.wallet, groupOf([dust])).catch(() => undefined);
}
