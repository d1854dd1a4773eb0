import { BigNumber } from 'bignumber.js';
import { worthUsd } from '../pool-price.ts';
import type { Purpose } from '../purpose.ts';

/**
 * Life of one sweep of a launch's fees: `planned` until the harvest is final, `harvested` until what it brought of the launched
 * token is burned, then `done`. What burns the tax on a reward launch's deposit goes from `planned` to `done`.
 */
export type FeeSweepState = 'planned' | 'harvested' | 'done';

/** Number of the sweep that burns the tax withheld when a reward launch's liquidity was deposited; harvests count from 1. */
export const DEPOSIT_TAX_SWEEP = 0;

/** Which sweep of a token. A number is used again only where nothing was ever signed to its end. */
export interface FeeSweepKey {
  readonly mint: string;
  readonly number: number;
}

/** Purpose and memo of a sweep's first movement: the harvest, or the burn of the deposit's tax. */
export function feeSweepPurpose({ mint, number }: FeeSweepKey): Purpose {
  return `fee-sweep/${mint}/${number}` as Purpose;
}

/** Purpose and memo of the burn of what a harvest brought. */
export function feeBurnPurpose(key: FeeSweepKey): Purpose {
  return `${feeSweepPurpose(key)}/burn` as Purpose;
}

/** Fees of a position with what they are counted in and worth. */
export interface FeesWorth {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** USD per whole token, exact decimals. */
  readonly baseUsd: string;
  readonly quoteUsd: string;
}

/** What fees are worth in USD, both tokens together, a plain decimal string. */
export function feesWorthUsd({ baseRaw, quoteRaw, baseDecimals, quoteDecimals, baseUsd, quoteUsd }: FeesWorth): string {
  const base = worthUsd(baseRaw, baseDecimals, baseUsd);
  return new BigNumber(base).plus(worthUsd(quoteRaw, quoteDecimals, quoteUsd)).toFixed();
}
