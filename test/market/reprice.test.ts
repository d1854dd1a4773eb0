import { BigNumber } from 'bignumber.js';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../db/connect.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { recordLaunch } from '../../db/launch/record-launch.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import { isOutdated, type QuotePrice, reprice } from '../../db/market/reprice.ts';
import * as tokenMarkets from '../../db/market/token-markets.ts';
import { aboutToGraduateUsd, type MarketFigures, marketFigures } from '../../domain/market/figures.ts';
import { createDice } from '../support/dice.ts';
import { insertPairs } from '../support/db/pair-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { address, bringTo, intakeOf, launchTerms, recordingOf } from '../support/launch/launch-rows.ts';

const { db } = useDatabase();

const QUOTES = [address(), address()];
/** Later than any launch of these tests. */
const SLOT = 1_000_000_000n;
const THRESHOLD_USD = aboutToGraduateUsd(8_000);
const TOKENS = 12;

/** A token, how its pool stands, and what it is measured against. */
type Market = Awaited<ReturnType<typeof list>>;

/** Launches a token whose pool stands anyhow, with the figures of one price of its quote token. */
async function list(dice: (most: number) => number, quoteUsd: string | null, slot = SLOT) {
  const quoteToken = { ...launchTerms().quoteToken, mint: QUOTES[dice(QUOTES.length)]! };
  const terms = launchTerms({ quoteToken });
  await insertIntake(db(), intakeOf(terms));
  await bringTo(db(), terms.quoteId, 'recording');
  await recordLaunch(db(), recordingOf(terms));
  const { mint } = terms.addresses;
  const cursor = (await poolCursors.byMint(db(), mint))!;
  const { pool, baseDecimals, quoteDecimals } = cursor;
  const state = {
    priceQuote: `0.0000${1 + dice(9_000_000)}${1 + dice(9_000_000)}1`,
    supplyRaw: 10n ** 15n - BigInt(dice(2 ** 31)) * 7_919n,
    baseDecimals,
    quoteDecimals,
    baseVaultRaw: BigInt(dice(2 ** 31)) * 400_009n,
    quoteVaultRaw: BigInt(dice(2 ** 31)) * 31n,
  };
  const day = { volumeUsd: '12.5', priceUsdBefore: dice(4) === 0 ? null : `0.0000${1 + dice(99_999)}` };
  const market = { mint, pool, state, day };
  await store(market, quoteUsd, slot);
  return market;
}

async function store({ mint, pool, state, day }: Market, quoteUsd: string | null, slot: bigint) {
  const update = { mint, status: 'new' as const, highWaterMarketCapUsd: null, lastSlot: SLOT };
  await tokenMarkets.save(db(), [Object.assign(update, marketFigures(state, day, quoteUsd))]);
  const { supplyRaw, baseVaultRaw, quoteVaultRaw } = state;
  const amounts = { stateSlot: slot, supplyRaw, baseVaultRaw, quoteVaultRaw, priceUsdBefore: day.priceUsdBefore };
  await poolCursors.notingFigures([Object.assign({ pool, quoteUsd, version: 0n, dueAt: null }, amounts)]).execute(db());
  await poolCursors.noteVaults(db(), pool, 'base', 'quote');
}

function pricesOf(usd: string) {
  return QUOTES.map((mint) => ({ mint, usd }));
}

/** Reprices all, so many at once; answers how many changed, and by how many statements. */
async function repriceAll(
  prices: readonly QuotePrice[],
  limit: number,
): Promise<{ moved: number; statements: number }> {
  let [moved, statements] = [0, 0];
  for (let after: string | null = ''; after !== null; statements += 1) {
    const done = await reprice(db(), { prices, aboutToGraduateUsd: THRESHOLD_USD, limit, after });
    expect(done.tokens).toBeLessThanOrEqual(limit);
    moved += done.tokens;
    after = done.next;
  }
  return { moved, statements };
}

/** Reprices all, five at once, at a price, null for an unknown one. */
async function move(usd: string | null): Promise<number> {
  const prices = usd === null ? [] : pricesOf(usd);
  const waits = await isOutdated(db(), prices);
  const { moved } = await repriceAll(prices, 5);
  expect(waits).toBe(moved > 0);
  return moved;
}

async function stored({ mint }: Market): Promise<MarketFigures> {
  const { priceQuote, priceUsd, marketCapUsd, volume24hUsd, liquidityUsd, priceChange24hPercent } =
    (await tokenMarkets.byMint(db(), mint))!;
  const plain = (value: string | null) => (value === null ? null : new BigNumber(value).toFixed());
  return {
    priceQuote: plain(priceQuote) ?? '',
    priceUsd: plain(priceUsd),
    marketCapUsd: plain(marketCapUsd),
    volume24hUsd: plain(volume24hUsd) ?? '',
    liquidityUsd: plain(liquidityUsd),
    priceChange24hPercent: plain(priceChange24hPercent),
  };
}

async function statusOf({ mint }: Market): Promise<string | undefined> {
  return (await tokenMarkets.byMint(db(), mint))?.status;
}

describe('when the price of a quote token moves', () => {
  let markets: Market[];
  const dice = createDice(7);

  beforeAll(async () => {
    await insertPairs(db(), 'any', QUOTES);
  });
  beforeEach(async () => {
    await sql`truncate tokens, launches cascade`.execute(db());
    markets = [];
    for (let count = 0; count < TOKENS; count += 1) markets.push(await list(dice, '171.25'));
  });

  test('all figures are to the last digit what they would be if the chain were read again', async () => {
    expect(await move('171.6001')).toBe(TOKENS);
    for (const market of markets)
      expect(await stored(market)).toEqual(marketFigures(market.state, market.day, '171.6001'));
    expect(await move('171.6001')).toBe(0);
  });

  test('statements are made for the tokens of one that moved, not for all tokens', async () => {
    const [first, second] = QUOTES as [string, string];
    const prices = [
      { mint: first, usd: '180' },
      { mint: second, usd: '171.25' },
    ];
    const { moved, statements } = await repriceAll(prices, 1);
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(TOKENS);
    // The last one finds nothing.
    expect(statements).toBe(moved + 1);
  });

  test('by less than a tenth of a percent, nothing is written', async () => {
    expect(await move('171.3')).toBe(0);
  });

  test('a token comes near to graduation and away from it, and one that has graduated stays graduated', async () => {
    const [near, graduated] = markets as [Market, Market];
    await sql`update token_markets set status = 'graduated' where mint = ${graduated.mint}`.execute(db());
    await move('1e12');
    expect([await statusOf(near), await statusOf(graduated)]).toEqual(['aboutToGraduate', 'graduated']);
    await move('0.000001');
    expect([await statusOf(near), await statusOf(graduated)]).toEqual(['new', 'graduated']);
  });

  test('no longer known, its figures are unknown; known again, they are back', async () => {
    const [market] = markets as [Market];
    await move(null);
    expect(await stored(market)).toEqual(marketFigures(market.state, market.day, null));
    await move('171.25');
    expect(await stored(market)).toEqual(marketFigures(market.state, market.day, '171.25'));
  });

  test('figures of a later slot than the stored amounts are left to a look at the chain', async () => {
    const late = await list(dice, '171.25', SLOT - 1n);
    const before = await stored(late);
    expect(await move('180')).toBe(TOKENS);
    expect(await stored(late)).toEqual(before);
    expect((await poolCursors.outdated(db(), new Date(), pricesOf('180'), 10)).map(({ mint }) => mint)).toEqual([
      late.mint,
    ]);
  });

  test('a token that somebody writes at this moment is not waited for, and follows later', async () => {
    const [held] = markets as [Market];
    await transaction(db(), async (writer) => {
      await sql`update token_markets set holders = 7 where mint = ${held.mint}`.execute(writer);
      expect(await move('180')).toBe(TOKENS - 1);
    });
    expect(await move('180')).toBe(1);
    expect(await stored(held)).toEqual(marketFigures(held.state, held.day, '180'));
  });
});
