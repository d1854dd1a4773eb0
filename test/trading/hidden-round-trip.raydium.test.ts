import { afterAll, beforeAll, describe, it } from 'vitest';
import { hasClmm, RAYDIUM_OF_FIXTURE } from '../support/exchange/raydium/real-program.ts';
import { expectNoAverage, HIDDEN_TRIPS } from '../support/market/hidden-trip.ts';
import { type MarketFixture, startMarketFixture } from '../support/market/market-platform.ts';

describe.runIf(hasClmm)("on Raydium's real program", () => {
  let ground: MarketFixture;
  beforeAll(async () => {
    ground = await startMarketFixture({ stream: true, exchange: RAYDIUM_OF_FIXTURE });
  });
  afterAll(() => ground.close());

  describe.each(HIDDEN_TRIPS)('while the preferred endpoint of an index that $source $hiding', (trip) => {
    it(`a ${trip.first} that is seen, and undone and done again unseen, leaves no average`, () =>
      expectNoAverage(ground, trip));
  });
});
