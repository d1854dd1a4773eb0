import BigNumber from 'bignumber.js';
import { expect, it } from 'vitest';
import type { SlipwayEvent } from '../../client/index.ts';
import { createEventIndex } from '../support/events/event-index.ts';

type Trade = NonNullable<SlipwayEvent['trade']>;

let next = 0;
const event = (type: SlipwayEvent['type'], facts: Partial<SlipwayEvent>): SlipwayEvent => ({
  id: String(next++),
  type,
  recordedAt: '2026-11-27T12:00:00.000Z',
  mint: 'coin',
  wallet: 'wallet',
  creator: 'creator',
  ...facts,
});

const trade = (signature: string, facts: Partial<Trade> = {}): Trade => ({
  signature,
  index: 0,
  slot: 5,
  tradedAt: '2026-11-27T12:00:30.000Z',
  side: 'buy',
  amountTokens: 1,
  amountRaw: '1000',
  quoteTokens: 2,
  quoteRaw: '2000',
  quoteMint: 'quote',
  priceQuote: 2,
  priceUsd: 2,
  valueUsd: 2,
  ...facts,
});

const indexOf = (...events: readonly SlipwayEvent[]) => {
  const index = createEventIndex();
  for (const one of events) index.add(one);
  return index;
};

it('candles are of the trades that were not withdrawn, in the order in which they became final', () => {
  const [a, b, gone] = [trade('a', { priceQuote: 3 }), trade('b', { priceQuote: 1, valueUsd: null }), trade('gone')];
  const later = trade('later', { tradedAt: '2026-11-27T12:02:00.000Z', priceQuote: 4 });
  const index = indexOf(
    ...[b, gone, a].map((one) => event('trade.confirmed', { trade: one })),
    event('trade.withdrawn', { trade: gone }),
    ...[a, b, later].map((one) => event('trade.final', { trade: one })),
  );
  expect(index.tradesOf('coin')).toEqual(['a 0', 'b 0', 'later 0']);
  expect(index.candlesOf('coin', 60)).toEqual([
    {
      startedAt: '2026-11-27T12:00:00.000Z',
      open: null,
      high: 3,
      low: 1,
      close: 1,
      volumeRaw: 2_000n,
      volumeUsd: BigNumber(2),
      trades: 2,
    },
    {
      startedAt: '2026-11-27T12:02:00.000Z',
      open: 1,
      high: 4,
      low: 1,
      close: 4,
      volumeRaw: 1_000n,
      volumeUsd: BigNumber(2),
      trades: 1,
    },
  ]);
  expect([index.undecided(), index.problems]).toEqual([0, []]);
});

it('a trade that a fork moves is withdrawn from one slot and shown in another', () => {
  const moved = trade('a', { slot: 6 });
  const index = indexOf(
    event('trade.confirmed', { trade: trade('a') }),
    event('trade.withdrawn', { trade: trade('a') }),
    event('trade.confirmed', { trade: moved }),
    event('trade.final', { trade: moved }),
  );
  expect([index.tradesOf('coin'), index.problems]).toEqual([['a 0'], []]);
});

it.each([
  ['a trade that is shown twice', ['trade.confirmed', 'trade.confirmed']],
  ['a trade that becomes final twice', ['trade.final', 'trade.final']],
  ['the withdrawal of a trade that was not shown', ['trade.withdrawn']],
  ['the withdrawal of a final trade', ['trade.final', 'trade.withdrawn']],
] as const)('%s is a problem', (_, types) => {
  const index = indexOf(...types.map((type) => event(type, { trade: trade('a') })));
  expect(index.problems).toHaveLength(1);
});

it('a trade that becomes final in a slot in which it was not shown is a problem', () => {
  const index = indexOf(
    event('trade.confirmed', { trade: trade('a') }),
    event('trade.final', { trade: trade('a', { slot: 6 }) }),
  );
  expect(index.problems).toHaveLength(1);
});

it('payouts are kept by wallet, and harvests are summed by their day', () => {
  const payout = { roundId: 'r', roundNumber: 1, quoteMint: 'q', amountTokens: 1, amountRaw: '7', valueUsd: 1 };
  const paid = { ...payout, signature: 's', slot: 1, paidAt: '2026-11-27T12:00:00.000Z' };
  const amounts = { quoteTokens: 1, quoteRaw: '1', baseTokens: 1, baseRaw: '1' };
  const harvest = { signature: 's', slot: 1, quoteMint: 'q', ...amounts, valueUsd: 3, buybackBps: 5_000 };
  const index = indexOf(
    event('payout.paid', { wallet: 'a', payout: paid }),
    event('payout.paid', { wallet: 'b', payout: paid }),
    event('payout.paid', { wallet: 'a', payout: { ...paid, roundNumber: 2 } }),
    event('harvest', { harvest: { ...harvest, harvestedAt: '2026-11-26T23:59:59.000Z' } }),
    event('harvest', { harvest: { ...harvest, harvestedAt: '2026-11-27T00:00:00.000Z' } }),
    event('harvest', { harvest: { ...harvest, valueUsd: null, harvestedAt: '2026-11-27T00:00:01.000Z' } }),
  );
  expect(index.wallets()).toEqual(['a', 'b']);
  expect(index.payoutsOf('a').map(({ roundNumber }) => roundNumber)).toEqual([1, 2]);
  expect([...index.revenue()]).toEqual([
    ['2026-11-26', { revenueUsd: BigNumber(3), holdersUsd: BigNumber(1.5), harvests: 1 }],
    ['2026-11-27', { revenueUsd: BigNumber(3), holdersUsd: BigNumber(1.5), harvests: 2 }],
  ]);
});

it('the revenue of a day is summed without the rounding of floating-point numbers', () => {
  const facts = { signature: 's', slot: 1, quoteMint: 'q', quoteTokens: 1, quoteRaw: '1', baseTokens: 1, baseRaw: '1' };
  const harvestedAt = '2026-11-27T12:00:00.000Z';
  const harvests = [0.1, 0.2].map((valueUsd) =>
    event('harvest', { harvest: { ...facts, harvestedAt, valueUsd, buybackBps: 3_705 } }),
  );
  const day = indexOf(...harvests)
    .revenue()
    .get('2026-11-27');
  expect([day?.revenueUsd.toNumber(), day?.holdersUsd.toNumber()]).toEqual([0.3, 0.11115]);
});
