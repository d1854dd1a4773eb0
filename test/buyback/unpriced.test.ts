import { expect, it } from 'vitest';
import { judged } from '../../activities/buyback/plan.ts';
import { spendableUsd } from '../support/trading/spendable.ts';

const use = [{ kind: 'flywheel', mint: 'mint', quoteMint: 'quote', mostRaw: 10n ** 12n }] as const;
const usd = spendableUsd('1');
const quote = { decimals: 6, quoteUsd: usd, estimateUsd: usd, priceSource: 'fixed', pricedAt: new Date(0) } as const;

it('a purchase waits for a steady USD price of its quote token, whatever the last known one was', () => {
  expect(judged(use, quote, '5')).toEqual(use);
  const unpriced = { ...quote, quoteUsd: null, priceSource: null, pricedAt: null };
  expect(judged(use, unpriced, '5')).toBe('the quote token has no steady USD price: purchases wait for one');
});
