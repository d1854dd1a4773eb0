import type { Chain } from '../chain.ts';
import { mustEqual, NotProvable, type Outcome } from '../check.ts';
import { ceiling, type Decimal, product, quotient, roundedTo } from '../decimal.ts';
import { readMint } from '../mint-account.ts';
import type { RoundDocument } from './round-document.ts';

/** Fraction digits of a price in USD, and of an amount before it is rounded up (docs/verify.md). */
const [PRICE_DIGITS, AMOUNT_DIGITS] = [30, 60];

/** Requires that minimum holding and least payout follow from the rules and prices of the document. */
export async function checkThresholds(chain: Chain, document: RoundDocument): Promise<Outcome<null>> {
  const { prices, minimumRaw, leastPayoutRaw } = document;
  const [base, quote] = await decimalsOf(chain, document);
  const coinUsd = roundedTo(PRICE_DIGITS, product(prices.averagePrice, prices.quoteUsd));
  const minimum = rawWorth(prices.minHoldingUsd, base, coinUsd);
  const least = rawWorth(prices.minPayoutUsd, quote, prices.quoteUsd);
  const from = '`rules` and `prices` of the document';
  const stated = (raw: bigint, field: string) => ({ value: String(raw), from: field });
  mustEqual(
    'the minimum holding does not follow from the prices',
    { value: String(minimum), from },
    stated(minimumRaw, '`minimumRaw`'),
  );
  mustEqual(
    'the least payout does not follow from the prices',
    { value: String(least > 0n ? least : 1n), from },
    stated(leastPayoutRaw, '`leastPayoutRaw`'),
  );
  return { how: `${minimumRaw} coins at least, ${leastPayoutRaw} quote tokens at least, raw units`, value: null };
}

async function decimalsOf(chain: Chain, { mint, quoteMint }: RoundDocument): Promise<[number, number]> {
  const [base, quote] = (await chain.accounts([mint, quoteMint])).map((state) => state && readMint(state));
  if (!base || !quote) throw new NotProvable(`${chain.name} does not have the mints ${mint} and ${quoteMint}`);
  return [base.decimals, quote.decimals];
}

/** Returns the smallest amount, raw units, that is worth `usd` at a price per whole token. */
function rawWorth(usd: Decimal, decimals: number, priceUsd: Decimal): bigint {
  return ceiling(quotient({ ...usd, units: usd.units * 10n ** BigInt(decimals) }, priceUsd, AMOUNT_DIGITS));
}

/** Largest distance of a sale below the average (docs/money.md, market limits), and of the stated average. Bps. */
const [MOST_BELOW_BPS, MOST_APART_BPS, FULL_BPS] = [500n, 1_000n, 10_000n];

/**
 * Compares the stated average prices with what the sale got: both are prices of the coin's pool within the same hour. A
 * sale is what took coins from the pot, whatever the document calls it.
 * @throws NotProvable where they are apart, or no average is stated
 */
export async function checkSalePrice(chain: Chain, document: RoundDocument): Promise<Outcome<null>> {
  const { movements, saleAverage, prices } = document;
  const sales = movements.filter(({ baseRaw }) => baseRaw < 0n);
  if (sales.length === 0) return { how: 'the round sold nothing', value: null };
  if (saleAverage === null) throw new NotProvable('the document states no average price from before its sale');
  const [base, quote] = await decimalsOf(chain, document);
  const sold = { units: sales.reduce((sum, { baseRaw }) => sum - baseRaw, 0n), digits: base };
  const got = { units: sales.reduce((sum, { quoteRaw }) => sum + quoteRaw, 0n), digits: quote };
  const fill = quotient(got, sold, PRICE_DIGITS);
  const shortBps = FULL_BPS - bpsOf(fill, saleAverage);
  if (shortBps > MOST_BELOW_BPS)
    throw new NotProvable(`the sale brought ${shortBps} bps less than the stated average: docs/money.md allows 500`);
  const apartBps = FULL_BPS - bpsOf(fill, prices.averagePrice);
  if (apartBps > MOST_APART_BPS || -apartBps > MOST_APART_BPS)
    throw new NotProvable(
      `the average price that holdings are valued by is ${apartBps} bps above what the sale got: compare it with the pool's trades`,
    );
  return { how: `the sale brought ${shortBps} bps less than the average before it`, value: null };
}

function bpsOf(part: Decimal, whole: Decimal): bigint {
  return roundedTo(0, quotient({ ...part, units: part.units * FULL_BPS }, whole, 1)).units;
}
