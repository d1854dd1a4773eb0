import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { type DevBuyOrder, quoteDevBuy } from '../../../chain/exchange/dev-buy.ts';
import { planLaunch, depositOf, launchTransferFee, sortsBefore } from '../../../chain/exchange/opening.ts';
import { sqrtPriceAtTick, transferTax, U64_MAX } from '../../../chain/exchange/pool-math.ts';
import type { FeeMode } from '../../../domain/fee-models.ts';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';

const LOW = new PublicKey(new Uint8Array(32).fill(1));
const HIGH = new PublicKey(new Uint8Array(32).fill(200));
const FEES = { tickSpacing: 120, feePpm: 10_000, protocolPpm: 120_000, fundPpm: 40_000 };
const STANDARD: FeeMode = { mode: 'standard', feeTier: '1%' };

function plan(quotePriceUsd: string, decimals: number, baseFirst: boolean, fee: FeeMode = STANDARD, capUsd = 5_000) {
  const [baseMint, quoteMint] = baseFirst ? [LOW, HIGH] : [HIGH, LOW];
  const quote = { mint: quoteMint, decimals, tokenProgram: TOKEN_PROGRAM_ID };
  const request = { baseMint, quote, poolFeeTier: '1%', quotePriceUsd, openingMarketCapUsd: capUsd } as const;
  return planLaunch(request, FEES, fee, TOTAL_SUPPLY_RAW);
}

const PRICES = [
  ['0.000000001234', 9],
  ['0.00002', 5],
  ['0.9987', 6],
  ['1', 6],
  ['163.4210987654321', 9],
  ['98765.43', 8],
] as const;

describe.each(PRICES)('a quote token of %s USD with %s decimals', (price, decimals) => {
  test.each([true, false])('opens within 0.6 %% of 5,000 USD on a usable tick (base first: %s)', (baseFirst) => {
    const { opening } = plan(price, decimals, baseFirst);
    expect(opening.baseIsToken0).toBe(baseFirst);
    expect(Math.abs(opening.tick % 120)).toBe(0);
    expect(BigInt(opening.sqrtPriceX64)).toBe(sqrtPriceAtTick(opening.tick));
    expect(Math.abs(Number(opening.marketCapUsd) - 5_000)).toBeLessThanOrEqual(5_000 * 0.00605);
  });

  test('opens at mirrored ticks in both mint orders', () => {
    expect(plan(price, decimals, true).opening.tick).toBe(-plan(price, decimals, false).opening.tick);
  });
});

test('the neighbouring ticks are further from the wanted market cap', () => {
  const { opening } = plan('0.9987', 6, true);
  const distance = Math.abs(Number(opening.marketCapUsd) - 5_000);
  for (const neighbour of [opening.tick - 120, opening.tick + 120]) {
    const cap = 1.0001 ** neighbour * 10 ** 3 * 1e9 * 0.9987;
    expect(Math.abs(cap - 5_000)).toBeGreaterThan(distance);
  }
});

test('positions are one-sided, share the deposit as the fee model says and leave at most a millionth of it out', () => {
  const planned = plan('1', 6, true, { mode: 'standard', feeTier: '2%' });
  expect([planned.tickLower, planned.tickUpper]).toEqual([planned.opening.tick, 443_520]);
  expect(planned.positions.map(({ amountRaw }) => amountRaw)).toEqual([
    (TOTAL_SUPPLY_RAW * 3n) / 4n,
    TOTAL_SUPPLY_RAW / 4n,
  ]);
  for (const { amountRaw, liquidity } of planned.positions) {
    const left = amountRaw - depositOf(planned, liquidity);
    expect(left >= 0n && left < amountRaw / 1_000_000n).toBe(true);
  }
  const mirrored = plan('1', 6, false);
  expect([mirrored.tickLower, mirrored.tickUpper]).toEqual([-443_520, mirrored.opening.tick]);
});

test('a taxed supply gives liquidity for what arrives after the tax', () => {
  const fee: FeeMode = { mode: 'reward', rewardTaxBps: 300 };
  const planned = plan('1', 6, true, fee);
  for (const { amountRaw, liquidity } of planned.positions) {
    const net = amountRaw - transferTax(launchTransferFee(fee), amountRaw);
    expect(depositOf(planned, liquidity)).toBeLessThanOrEqual(net);
    expect(depositOf(planned, liquidity)).toBeGreaterThan(net - net / 1_000_000n);
  }
});

test.each(['0', '-1', 'NaN', 'Infinity', 'cheap', ''])('a price of "%s" is refused', (price) => {
  expect(() => plan(price, 6, true)).toThrow(RangeError);
});

describe.each([true, false])('a dev buy on a planned pool (base first: %s)', (baseFirst) => {
  const planned = plan('1', 6, baseFirst, { mode: 'reward', rewardTaxBps: 100 });
  const base = {
    mint: LOW,
    decimals: 9,
    tokenProgram: TOKEN_PROGRAM_ID,
    transferFee: { bps: 100, maximumRaw: U64_MAX },
  };
  const quote = { mint: HIGH, decimals: 6, tokenProgram: TOKEN_PROGRAM_ID };
  const ask = (order: DevBuyOrder) => quoteDevBuy(planned, base, quote, order);
  const fill = (order: DevBuyOrder) => {
    const result = ask(order);
    if (result.fill !== 'filled') throw new Error(`the dev buy is ${result.fill}`);
    return result;
  };

  test('by tokens costs the curve price and the fee, and arrives net of the tax', () => {
    const bought = fill({ tokensRaw: TOTAL_SUPPLY_RAW / 40n });
    expect(bought.tokensRaw).toBe(TOTAL_SUPPLY_RAW / 40n);
    expect(bought.netTokensRaw).toBe((TOTAL_SUPPLY_RAW / 40n / 100n) * 99n);
    // 2.5 % of a supply worth 5,000 USD: 125 USD, 2.6 % more for the curve and 1 % for the fee.
    expect(Number(bought.quoteRaw) / 1e6).toBeGreaterThan(125);
    expect(Number(bought.quoteRaw) / 1e6).toBeLessThan(131);
  });

  test('by quote tokens never costs more than was offered, and not a token less could be had for it', () => {
    const offered = 50_000_000n;
    const bought = fill({ quoteRaw: offered });
    expect(bought.quoteRaw).toBeLessThanOrEqual(offered);
    expect(bought.quoteRaw).toBeGreaterThanOrEqual(offered - 2n);
  });

  test('of more than there is, is too large; of what the fee takes whole, too small', () => {
    expect(ask({ tokensRaw: TOTAL_SUPPLY_RAW * 2n })).toEqual({ fill: 'tooLarge' });
    expect(ask({ quoteRaw: U64_MAX * 2n })).toEqual({ fill: 'tooLarge' });
    expect(ask({ quoteRaw: 1n })).toEqual({ fill: 'tooSmall' });
    expect(ask({ quoteRaw: 0n })).toEqual({ fill: 'tooSmall' });
    expect(ask({ tokensRaw: 0n })).toEqual({ fill: 'tooSmall' });
  });
});

test('mints sort by their bytes', () => {
  expect(sortsBefore(LOW, HIGH)).toBe(true);
  expect(sortsBefore(HIGH, LOW)).toBe(false);
});
