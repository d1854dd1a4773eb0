import { BigNumber } from 'bignumber.js';
import { worthUsd } from '../pool-price.ts';
import type { Purpose } from '../purpose.ts';

/**
 * `planned` until the harvest is final, `harvested` until the burn, then `done`; a deposit tax's burn goes from
 * `planned` to `done`.
 */
export type FeeSweepState = 'planned' | 'harvested' | 'done';

/** Number of the sweep that burns a reward launch's deposit tax; harvests count from 1. */
export const DEPOSIT_TAX_SWEEP = 0;

/** Identifies a sweep. A number is reused only if nothing signed for it can take effect. */
export interface FeeSweepKey {
  readonly mint: string;
  readonly number: number;
}

/** Purpose and memo of the sweep's first movement. */
export function feeSweepPurpose({ mint, number }: FeeSweepKey): Purpose {
  return `fee-sweep/${mint}/${number}` as Purpose;
}

export function feeBurnPurpose(key: FeeSweepKey): Purpose {
  return `${feeSweepPurpose(key)}/burn` as Purpose;
}

/** Purpose of the movement that leads out of a state; of a finished sweep the last one. */
export const SWEEP_PURPOSE: Readonly<Record<FeeSweepState, (key: FeeSweepKey) => Purpose>> = {
  planned: feeSweepPurpose,
  harvested: feeBurnPurpose,
  done: feeBurnPurpose,
};

export interface FeesWorth {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** Per whole token, exact decimals. */
  readonly baseUsd: string;
  readonly quoteUsd: string;
}

/** Returns the value of both tokens' fees, USD, plain decimal. */
export function feesWorthUsd({ baseRaw, quoteRaw, baseDecimals, quoteDecimals, baseUsd, quoteUsd }: FeesWorth): string {
  const base = worthUsd(baseRaw, baseDecimals, baseUsd);
  return new BigNumber(base).plus(worthUsd(quoteRaw, quoteDecimals, quoteUsd)).toFixed();
}
