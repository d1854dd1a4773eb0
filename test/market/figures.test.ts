import { describe, expect, it } from 'vitest';
import { changePercent, highestMarketCap, marketFigures, statusBelowGraduation } from '../../domain/market/figures.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { priceInQuote, priceInUsd, worthUsd } from '../../domain/pool-price.ts';
import { spendableUsd } from '../support/trading/spendable.ts';

const Q64 = 1n << 64n;

describe('a pool’s price', () => {
  const at = (sqrtPriceX64: bigint, baseIsToken0: boolean) =>
    priceInQuote({ sqrtPriceX64, baseIsToken0, baseDecimals: 9, quoteDecimals: 6 });

  it('is exact, whichever side the token is on', () => {
    // 4 raw quote units per raw base unit, and a thousand times that per whole ones.
    expect(at(2n * Q64, true)).toBe('4000');
    expect(at(Q64 / 2n, false)).toBe('4000');
  });

  it('keeps 30 digits of a token that costs next to nothing', () => {
    expect(at(1n << 22n, true)).toBe('0.000000000000000000000051698788');
    expect(priceInUsd('0.000000000000000000000051698788', '97000.5')).toBe('0.000000000000000005014808285394');
  });

  it('is worth what it is worth, rounded half up to ten digits', () => {
    expect(worthUsd(1_500_000n, 6, '0.3333333333')).toBe('0.5');
    expect(worthUsd(1n, 9, '0.05')).toBe('0.0000000001');
    expect(worthUsd(1n, 9, '0.049')).toBe('0');
  });
});

describe('figures', () => {
  const state = {
    priceQuote: '0.00002',
    supplyRaw: TOTAL_SUPPLY_RAW,
    baseDecimals: 9,
    quoteDecimals: 6,
    baseVaultRaw: TOTAL_SUPPLY_RAW / 2n,
    quoteVaultRaw: 3_000_000_000n,
  };

  it('follow from the pool, its vaults, the supply and the day', () => {
    expect(marketFigures(state, { volumeUsd: '12.5', priceUsdBefore: '0.00001' }, '1.5')).toEqual({
      priceQuote: '0.00002',
      priceUsd: '0.00003',
      marketCapUsd: '30000',
      volume24hUsd: '12.5',
      liquidityUsd: '19500',
      priceChange24hPercent: '200',
    });
  });

  it('count only what was not burned', () => {
    const burned = { ...state, supplyRaw: TOTAL_SUPPLY_RAW / 4n };
    expect(marketFigures(burned, { volumeUsd: '0', priceUsdBefore: null }, '1.5').marketCapUsd).toBe('7500');
  });

  it('are unknown, not zero, where the quote token has no price', () => {
    expect(marketFigures(state, { volumeUsd: '12.5', priceUsdBefore: '1' }, null)).toEqual({
      priceQuote: '0.00002',
      priceUsd: null,
      marketCapUsd: null,
      volume24hUsd: '12.5',
      liquidityUsd: null,
      priceChange24hPercent: null,
    });
  });

  it.each([
    ['0.00003', '0.00002', '-33.3333'],
    ['3', '3', '0'],
    ['0', '1', null],
    [null, '1', null],
  ])('change from %s to %s by %s percent', (before, after, change) => {
    expect(changePercent(before, after)).toBe(change);
  });
});

describe('the way to graduation', () => {
  it('is near from three quarters of the cap on', () => {
    expect(statusBelowGraduation('29999.9999999999', 7_500)).toBe('new');
    expect(statusBelowGraduation('30000', 7_500)).toBe('aboutToGraduate');
  });

  it('is judged by the highest cap, each of the supply of its time', () => {
    const swaps = [
      { priceQuote: '0.00002', steadyUsd: spendableUsd('2'), supplyRaw: TOTAL_SUPPLY_RAW / 2n },
      { priceQuote: '0.00003', steadyUsd: spendableUsd('1'), supplyRaw: TOTAL_SUPPLY_RAW },
      { priceQuote: '9', steadyUsd: null, supplyRaw: TOTAL_SUPPLY_RAW },
    ];
    expect(highestMarketCap(swaps, 9)).toBe('30000');
    expect(highestMarketCap([], 9)).toBeNull();
    expect(highestMarketCap(swaps.slice(2), 9)).toBeNull();
  });
});
