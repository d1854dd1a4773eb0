import { afterAll, describe, it } from 'vitest';
import { expectNoAverage, HIDDEN_TRIPS } from '../support/market/hidden-trip.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';

const ground: MarketFixture = await startMarketFixture({ stream: true });
afterAll(() => ground.close());

describe.each(HIDDEN_TRIPS)('while the preferred endpoint of an index that $source $hiding', (trip) => {
  it(`a ${trip.first} that is seen, and undone and done again unseen, leaves no average`, () =>
    expectNoAverage(ground, trip));
});
