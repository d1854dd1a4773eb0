import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createPlannedPrices } from '../../activities/trading/planned-prices.ts';
import { createSpendablePrices } from '../../activities/trading/spendable-prices.ts';
import * as prices from '../../db/prices/prices.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();
const NOW = new Date('2026-03-01T12:00:00Z');

/** What revenue in a token is booked by that was worth a dollar before and is worth so much now. */
async function bookedAt(mint: string, usd: string) {
  const before = Array.from({ length: 11 }, (_, index) => 5 + 5 * index).map(
    (minutesAgo) => new Date(NOW.getTime() - minutesAgo * 60_000),
  );
  await prices.record(
    db(),
    before.map((observedAt) => ({ mint, usd: '1', source: 'pyth', observedAt })),
  );
  const spot = {
    spotUsd: () => Promise.resolve({ usd, source: 'pyth' as const, observedAt: NOW }),
    clockProblem: () => Promise.resolve(null),
  };
  const spendablePrices = createSpendablePrices({
    db: db(),
    prices: spot,
    now: () => new Date(),
    maxDeviationBps: 2_000,
  });
  return createPlannedPrices({ db: db(), logger: pino({ level: 'silent' }), spendablePrices })(mint);
}

describe('the price that revenue is booked by', () => {
  it('is the present one where that is steady', async () => {
    expect(await bookedAt('calm', '1.1')).toMatchObject({ quoteUsd: '1.1', priceSource: 'pyth', pricedAt: NOW });
  });

  it('is none where somebody moved it, so that what is published counts it as unpriced', async () => {
    const unpriced = { quoteUsd: null, priceSource: null, pricedAt: null };
    expect(await bookedAt('raised', '10')).toMatchObject(unpriced);
    expect(await bookedAt('sunk', '0.1')).toMatchObject(unpriced);
  });
});
