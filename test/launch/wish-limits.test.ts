import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { createQuoteSealer } from '../../api/launch/sealed-quote.ts';
import { type DevBuyMarket, planDevBuy } from '../../api/launch/plan-dev-buy.ts';
import { planLaunch } from '../../chain/exchange/opening.ts';
import { planOrProblem } from '../../chain/exchange/opening-problem.ts';
import { baseTokenOf, poolSupplyRaw } from '../../chain/launch/pool-request.ts';
import type { TransferFee } from '../../chain/exchange/pool-math.ts';
import { AppError } from '../../domain/errors.ts';
import { type FeeMode, feeModelOf } from '../../domain/fee-models.ts';
import { DEV_BUY_MAX_RAW, type ExchangeRate, quoteForLamports, sellingRate } from '../../domain/launch/dev-buy.ts';
import { type Wish, wishProblem } from '../../domain/launch/terms-wish.ts';
import { OPENING_MARKET_CAP_USD, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { spendablePrice } from '../../domain/trading/spendable-price.ts';
import { launchTerms } from '../support/launch/launch-rows.ts';

type DevBuyWish = NonNullable<Wish['devBuy']>;

const LOW = new PublicKey(new Uint8Array(32));
const HIGH = new PublicKey(new Uint8Array(32).fill(255));
const FEES = { tickSpacing: 120, feePpm: 10_000, protocolPpm: 120_000, fundPpm: 40_000 };

const MODES: readonly FeeMode[] = [
  { mode: 'standard', feeTier: '1%' },
  { mode: 'standard', feeTier: '2%' },
  { mode: 'reward', rewardTaxBps: 100 },
  { mode: 'reward', rewardTaxBps: 300 },
];
const SHAPES: readonly { readonly tokenProgram: PublicKey; readonly transferFee?: TransferFee }[] = [
  { tokenProgram: TOKEN_PROGRAM_ID },
  { tokenProgram: TOKEN_2022_PROGRAM_ID, transferFee: { bps: 250, maximumRaw: 1_000n } },
];
const PRICES = ['0.0000000321', '0.0007', '0.99871', '1', '163.4210987654321', '60000', '98765.43'];
const SOL_PRICES = ['150', '0.0712345678901234', '219.3333333333333333'];
const SHARES = [0n, TOTAL_SUPPLY_RAW / 2n];
const DECIMALS = Array.from({ length: 10 }, (_, decimals) => decimals);

/** Lamports: around each power of ten up to 1,000,000 SOL, and odd ones. */
const LAMPORTS = Array.from({ length: 16 }, (_, power) => 10n ** BigInt(power)).flatMap((power) => [
  power,
  power * 7n,
  power * 3n - 1n,
  power + (power * 618_033_988n) / 1_000_000_007n,
]);
const TOKENS = [
  0n,
  1n,
  2n,
  99n,
  10n ** 6n,
  10n ** 9n + 1n,
  123_456_789_012_345n,
  DEV_BUY_MAX_RAW - 1n,
  DEV_BUY_MAX_RAW,
];

const steady = (usd: string) =>
  spendablePrice({ usd, source: 'fixed', observedAt: new Date(0) }, [], { mint: 'test', maxDeviationBps: 1 });

/** Prepare's planning, with a treasury that has everything. */
const NO_OBSTACLE = { launching: { stockObstacle: () => Promise.resolve(undefined) } } as never;

interface Shape {
  readonly decimals: number;
  readonly fee: FeeMode;
  readonly usd: string;
  readonly baseFirst: boolean;
  readonly shape: (typeof SHAPES)[number];
  readonly shareRaw: bigint;
}

/** Null where prepare refuses every launch with the pair. */
function marketOf({ decimals, fee, usd, baseFirst, shape, shareRaw }: Shape): DevBuyMarket | null {
  const [baseMint, quoteMint] = baseFirst ? [LOW, HIGH] : [HIGH, LOW];
  const base = baseTokenOf({ fee, addresses: { ...launchTerms().addresses, mint: baseMint.toBase58() } });
  const quote = { mint: quoteMint, decimals, ...shape };
  const { poolFeeTier, poolFeePercent } = feeModelOf(fee);
  const request = { baseMint, quote, poolFeeTier, quotePriceUsd: usd, openingMarketCapUsd: OPENING_MARKET_CAP_USD };
  const fees = { ...FEES, feePpm: poolFeePercent * 10_000 };
  const planned = planOrProblem(() => planLaunch(request, fees, fee, poolSupplyRaw(shareRaw)), base, quote);
  return 'plan' in planned ? { plan: planned.plan, base, quote, quoteSymbol: 'QUOTE' } : null;
}

type Planned = Awaited<ReturnType<typeof planDevBuy>> | { readonly refused: string };

async function planned(market: DevBuyMarket, wish: DevBuyWish, rate: ExchangeRate): Promise<Planned> {
  try {
    return await planDevBuy(NO_OBSTACLE, wish, market, rate);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return { refused: error.message };
    throw error;
  }
}

const shapesOf = (decimals: number): Shape[] =>
  MODES.flatMap((fee) =>
    PRICES.flatMap((usd) =>
      [true, false].flatMap((baseFirst) =>
        SHAPES.flatMap((shape) => SHARES.map((shareRaw) => ({ decimals, fee, usd, baseFirst, shape, shareRaw }))),
      ),
    ),
  );

/** Raw quote units that so many tokens cost at least: by the opening price, without fee and rounding. */
function leastQuoteRaw({ plan }: DevBuyMarket, tokensRaw: bigint): number {
  const squareX128 = Number(BigInt(plan.opening.sqrtPriceX64) ** 2n) / 2 ** 128;
  return plan.opening.baseIsToken0 ? Number(tokensRaw) * squareX128 : Number(tokensRaw) / squareX128;
}

/** What is wrong with the answer to a wish; undefined if it is right. */
function problemOf(market: DevBuyMarket, wish: DevBuyWish, rate: ExchangeRate, found: Planned): string | undefined {
  const isBySol = 'lamports' in wish;
  if ('refused' in found) {
    if (!found.refused.includes('too small')) return found.refused;
    // A pair's tax on the order comes on top of what the pool takes.
    const least = market.quote.transferFee ? 210 : 202;
    const worth = isBySol
      ? Number(quoteForLamports(BigInt(wish.lamports), rate))
      : leastQuoteRaw(market, BigInt(wish.tokensRaw));
    return worth <= least ? undefined : `an order of about ${worth} raw units is refused as too small`;
  }
  const problem = wishProblem({ devBuy: wish }, { ...launchTerms(), devBuy: found });
  if (problem !== undefined) return problem;
  if (BigInt(found.tokensRaw) > DEV_BUY_MAX_RAW) return 'more than 2.5 %';
  if (BigInt(found.netTokensRaw) > BigInt(found.tokensRaw)) return 'more arrives than is bought';
  if (found.netTokensRaw === '0') return 'nothing arrives';
  if (BigInt(found.maxQuoteRaw) < 200n) return `${found.maxQuoteRaw} raw units are no price`;
  if (!isBySol) return found.tokensRaw === wish.tokensRaw ? undefined : 'other tokens than asked for';
  const left = BigInt(wish.lamports) - BigInt(found.lamports);
  const isLargest = BigInt(found.tokensRaw) === DEV_BUY_MAX_RAW;
  const twoUnits = market.quote.transferFee ? 1_010n : 2n;
  const unit = (BigInt(found.lamports) / BigInt(found.maxQuoteRaw) + 1n) * (twoUnits + 1n);
  return isLargest || left <= unit ? undefined : `${left} lamports of the wish are left`;
}

describe.each(DECIMALS)('a dev buy with a quote token of %s decimals', (decimals) => {
  it('never costs or brings more than the wish, and is refused as too small only where it is', async () => {
    const wrong: string[] = [];
    let filled = 0;
    for (const [index, shape] of shapesOf(decimals).entries()) {
      const market = marketOf(shape);
      if (!market) continue;
      const solUsd = SOL_PRICES[index % SOL_PRICES.length]!;
      const rate = sellingRate(steady(solUsd), steady(shape.usd), decimals);
      const wishes: DevBuyWish[] = [
        ...LAMPORTS.map((lamports) => ({ lamports: lamports.toString() })),
        ...TOKENS.map((tokensRaw) => ({ tokensRaw: tokensRaw.toString() })),
      ];
      // Each shape takes every fifth amount, and the next shape the next ones.
      for (const wish of wishes.filter((_, at) => (at + index) % 5 === 0)) {
        const found = await planned(market, wish, rate);
        const problem = problemOf(market, wish, rate, found);
        if (problem !== undefined)
          wrong.push(`${JSON.stringify([shape.usd, shape.fee, wish, found], null, 0)}: ${problem}`);
        if (!('refused' in found)) filled++;
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(filled).toBeGreaterThan(100);
  });
});

it('terms that no quote can hold are not sealed, but refused at once', async () => {
  const terms = launchTerms();
  const sealer = createQuoteSealer([{ id: 'quote-1', secret: new Uint8Array(32) }], terms);
  expect(await sealer.open(await sealer.seal(terms))).toEqual(terms);
  const quoteToken = { ...terms.quoteToken, decimals: 19 };
  await expect(sealer.seal({ ...terms, quoteToken })).rejects.toThrow('malformed at "/quoteToken/decimals"');
});

describe('the terms of a launch', () => {
  const payment = launchTerms().payment;
  const devBuy = { tokensRaw: '100', netTokensRaw: '99', maxQuoteRaw: '5', lamports: '7' };
  const airdrop = {
    source: 'quote-holders',
    tier: 'top100',
    shareRaw: '1000',
    recipients: 100,
    recipientsHash: 'ab'.repeat(32),
    snapshotSlot: 1,
    feeLamports: '5',
    computeUnitPrice: '1',
  } as const;
  const all = { payment, devBuy, airdrop };
  const within: Wish = {
    maxLamports: payment.lamports,
    devBuy: { lamports: '7' },
    airdrop: { tier: 'top100', shareRaw: '1000' },
  };

  it('are as wished where they reach every maximum', () => {
    expect(wishProblem(within, all)).toBeUndefined();
    expect(wishProblem({ ...within, devBuy: { tokensRaw: '100' } }, all)).toBeUndefined();
    expect(wishProblem({}, { payment, devBuy: null, airdrop: null })).toBeUndefined();
  });

  it.each<[Wish, string]>([
    [{ ...within, maxLamports: '289999999' }, '290000000 lamports of the payment are more than the 289999999'],
    [{ ...within, devBuy: { lamports: '6' } }, '7 lamports of the dev buy are more than the 6'],
    [{ ...within, devBuy: { tokensRaw: '99' } }, '100 raw units of the dev buy is not the 99'],
    [{ ...within, devBuy: { tokensRaw: '101' } }, '100 raw units of the dev buy is not the 101'],
    [{ airdrop: within.airdrop }, 'a dev buy was not asked for'],
    [{ ...within, airdrop: { tier: 'top100', shareRaw: '999' } }, '1000 raw units of the airdrop is not the 999'],
    [{ ...within, airdrop: { tier: 'top100', shareRaw: '1001' } }, '1000 raw units of the airdrop is not the 1001'],
    [{ ...within, airdrop: { tier: 'top1000', shareRaw: '1000' } }, 'top100 as tier of the airdrop is not the top1000'],
    [{ devBuy: { lamports: '7' } }, 'an airdrop was not asked for'],
  ])('are not as wished by %j', (wish, says) => {
    expect(wishProblem(wish, all)).toContain(says);
  });

  it.each([
    [within, { payment, devBuy: null, airdrop }, 'a dev buy was asked for, and there is none'],
    [within, { payment, devBuy, airdrop: null }, 'an airdrop was asked for, and there is none'],
  ])('are not as wished without a part of it', (wish, terms, says) => {
    expect(wishProblem(wish, terms)).toBe(says);
  });
});
