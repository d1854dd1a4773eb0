import { expect, test } from 'vitest';
import { expectShape } from '../../support/wire/dialect.ts';
import {
  Burns,
  Revenue,
  RevenueHistory,
  Rewards,
  RewardsOfReward,
  RewardsOfStandard,
} from '../../support/wire/shapes.ts';
import { useWireMarket } from '../../support/wire/wire-market.ts';

const market = useWireMarket();

interface BurnsAnswer {
  readonly totals: { readonly burnCount: number; readonly amountRaw: string; readonly lastBurnAt: string };
  readonly burns: readonly { readonly source: string; readonly amountRaw: string; readonly burnedAt: string }[];
}
const burnsOf = async (mint: string, query = '') => {
  const answer = await market.read(`/tokens/${mint}/burns${query}`);
  expectShape(Burns, answer);
  return answer as unknown as BurnsAnswer;
};

test('burns are all that the platform burned of a mint, whatever for, the newest first, and totals count them', async () => {
  const { totals, burns } = await burnsOf(market.mint('platform'));
  expect(burns.map(({ source }) => source)).toEqual(['flywheel', 'auto', 'buyback']);
  const sum = burns.reduce((all, { amountRaw }) => all + BigInt(amountRaw), 0n);
  expect([totals.burnCount, totals.amountRaw, totals.lastBurnAt]).toEqual([3, String(sum), burns[0]?.burnedAt]);
  const one = await burnsOf(market.mint('platform'), '?limit=1');
  expect([one.burns.length, one.totals.burnCount]).toEqual([1, 3]);
});

test('a token of which nothing was burned has totals of zero and no last burn', async () => {
  const { totals, burns } = await burnsOf(market.mint('taxed'));
  expect([totals.burnCount, totals.amountRaw, totals.lastBurnAt, burns]).toEqual([0, '0', null, []]);
});

test('rewards of a coin are in its quote token; a standard launch has none and says so', async () => {
  const answer = await market.read(`/tokens/${market.mint('taxedMore')}/rewards`);
  expectShape(RewardsOfReward, answer);
  expect(answer).toMatchObject({
    quote: { mint: market.quotes.usdc, symbol: 'USDC', decimals: 6 },
    rewards: { distributedRaw: '90000001', distributedTokens: 90.000001, undistributedRaw: '4999999' },
  });
  expectShape(RewardsOfStandard, await market.read(`/tokens/${market.mint('graduated')}/rewards`));
});

test('payouts are counted by payment and holders by wallet, not by transaction or round', async () => {
  const { rewards } = await market.read(`/tokens/${market.mint('taxed')}/rewards`);
  expect(rewards).toMatchObject({ payoutCount: 5, holderCount: 3 });
});

interface RewardsAnswer {
  readonly launches: readonly { readonly mint: string; readonly distributedRaw: string }[];
  readonly recentDistributions: readonly Readonly<Record<string, unknown>>[];
}
const rewards = async (query = '') => {
  const answer = await market.read(`/rewards${query}`);
  expectShape(Rewards, answer);
  return answer as unknown as RewardsAnswer;
};

test('every coin that has paid is listed, from what it paid down; a limit shortens the transactions alone', async () => {
  const [all, one] = [await rewards(), await rewards('?limit=1')];
  expect(all.launches.map(({ mint }) => mint)).toEqual([market.mint('taxedMore'), market.mint('taxed')]);
  expect([one.launches, one.recentDistributions.length]).toEqual([all.launches, 1]);
});

test('a transaction pays the holders of one coin, so its signature is one row, whose amount is all that it moved', async () => {
  const { recentDistributions } = await rewards();
  const signatures = recentDistributions.map(({ signature }) => signature);
  expect(new Set(signatures).size).toBe(signatures.length);
  const paid = recentDistributions.filter(({ mint }) => mint === market.mint('taxedMore'));
  expect(paid.map(({ amountRaw }) => amountRaw)).toEqual(['90000000', '1']);
});

test('a payout is answered alike however it is asked for', async () => {
  const [all, some] = [await rewards('?limit=100'), await rewards('?limit=3')];
  expect(some.recentDistributions).toEqual(all.recentDistributions.slice(0, 3));
});

test('revenue has what was claimed, bought and burned, and each purchase, the newest first', async () => {
  const answer = await market.read('/revenue');
  expectShape(Revenue, answer);
  expect(answer).toMatchObject({
    revenue: { totalRevenueUsd: 2.6000000001, totalBuybackUsd: 1.234567, buybackCount: 2, platformPairExcludedUsd: 0 },
    burns: {
      mintCount: 1,
      bySource: { auto: { count: 1 }, buyback: { count: 1 }, flywheel: { count: 1, valueUsd: 0 } },
    },
    config: { buybacksEnabled: true, buybackBurnEnabled: true },
  });
  const { recentBuybacks } = answer as unknown as { recentBuybacks: { spentTokens: number; boughtAt: string }[] };
  const times = recentBuybacks.map(({ boughtAt }) => boughtAt);
  expect([times, recentBuybacks.length]).toEqual([times.toSorted().reverse(), 2]);
  expect((await market.read('/revenue?limit=1'))['recentBuybacks']).toHaveLength(1);
});

interface History {
  readonly start: string;
  readonly days: readonly {
    readonly date: string;
    readonly dailyRevenue: number;
    readonly dailyHoldersRevenue: number;
    readonly dailyProtocolRevenue: number;
  }[];
}

test('history is an array of all UTC days from the first to today, and says what carries no price', async () => {
  const answer = await market.read('/revenue/history');
  expectShape(RevenueHistory, answer);
  expect(answer).toMatchObject({
    network: 'mainnet-beta',
    coverage: { revenueRows: 3, revenueRowsUnpriced: 1, buybackRows: 2, buybackRowsUnpriced: 1 },
  });
  const { start, days } = answer as unknown as History;
  expect([start, days[0]?.date]).toEqual(['2026-11-17', '2026-11-17']);
  expect(days.at(-1)?.date).toBe([new Date().toISOString().slice(0, 10), '2026-11-20'].sort().at(-1));
});
