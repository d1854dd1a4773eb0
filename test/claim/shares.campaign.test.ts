import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomInt } from 'node:crypto';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { prepareClaim, readFees, submitClaim } from '../support/claim/claimant.ts';
import { type Market, openMarket } from '../support/claim/claim-market.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ variables: { RATE_LIMIT_CLAIM_PREPARE: '100000' } });
});
afterAll(() => platform.close());

const TRADES = 40;
const CLAIM_EVERY = 15;

const CASES = [
  { feeTier: '1%', ppm: 4_200n },
  { feeTier: '2%', ppm: 12_600n },
] as const;

describe('a day of random trades', () => {
  it.each(CASES)(
    'gives the creator of a $feeTier launch $ppm ppm of the volume, to the unit over every claim',
    async ({ feeTier, ppm }) => {
      const market = await openMarket(platform, { feeTier });
      const volume = { base: 0n, quote: 0n };
      const claimed = { base: 0n, quote: 0n };
      for (let trade = 1; trade <= TRADES; trade++) {
        await tradeAtRandom(market, volume);
        if (trade % CLAIM_EVERY === 0) await claim(market, claimed);
      }
      await claim(market, claimed);
      expect(await market.holdings(market.creator.address)).toEqual(claimed);
      const { liquidity = 0n } = (await platform.exchange.readLockedPosition(market.pool, market.feeKeyMint)) ?? {};
      for (const side of ['base', 'quote'] as const) {
        const expected = (volume[side] * ppm) / 1_000_000n;
        // Each trade floors the fees per unit of liquidity, and rounds its fee and its shares by a unit each. The price moves
        // in steps of 2^-64, and what a trade pays beyond the last step is fee: far below a trillionth of the volume.
        const slack = BigInt(TRADES) * ((liquidity >> 64n) + 4n) + volume[side] / 10n ** 12n;
        expect(claimed[side] - expected, `${side} of ${volume[side]}`).toBeLessThanOrEqual(slack);
        expect(expected - claimed[side], `${side} of ${volume[side]}`).toBeLessThanOrEqual(slack);
        expect(volume[side]).toBeGreaterThan(0n);
      }
    },
    120_000,
  );
});

/** A buy for 1 to 2,000 dollars, or a sell of a part of what the trader has. */
async function tradeAtRandom(market: Market, volume: { base: bigint; quote: bigint }): Promise<void> {
  const held = (await market.holdings(market.trader.publicKey)).base;
  if (held === 0n || randomInt(2) === 0) {
    volume.quote += await market.trade('buy', BigInt(randomInt(1_000_000, 2_000_000_000)));
  } else {
    volume.base += await market.trade('sell', (held * BigInt(randomInt(1, 60))) / 100n + 1n);
  }
}

/** Claims through the API, and compares what was announced with what arrived. */
async function claim(market: Market, claimed: { base: bigint; quote: bigint }): Promise<void> {
  const { creator, mint } = market;
  const before = await market.holdings(creator.address);
  const { data } = await readFees(platform, mint);
  const prepared = await prepareClaim(platform, mint, creator.keypair);
  expect(data?.claimable).toEqual(prepared.amounts);
  expect((await submitClaim(platform, prepared, creator.keypair)).http).toBe(200);
  const after = await market.holdings(creator.address);
  const { base, quote } = prepared.amounts;
  expect([after.base - before.base, after.quote - before.quote]).toEqual([
    BigInt(base.amountRaw),
    BigInt(quote.amountRaw),
  ]);
  claimed.base += BigInt(base.amountRaw);
  claimed.quote += BigInt(quote.amountRaw);
}
