import { defineSignal } from '@temporalio/workflow';
import type { MarketCheckReport, MarketCheckRequest } from '../../activities/market/check.ts';

/** Registered name of the index of the market, and id of its one workflow. */
export const MARKET_INDEX_WORKFLOW = 'marketIndex';
export const MARKET_INDEX_ID = 'market-index';

/** Input of a run of the index. */
export interface MarketIndexInput {
  /** Pools (base58) that the run before was told of and did not look at any more. */
  readonly woken?: readonly string[];
}

/** Registered name of the graduation round, and id of its schedule. */
export const GRADUATION_WORKFLOW = 'graduation';

/** Registered name of the count of tokens' holders, and id of its schedule. */
export const HOLDER_COUNT_WORKFLOW = 'holderCount';
export const HOLDER_COUNT_SCHEDULE = 'holder-count';

/** Says that something happened to these pools (base58), so that they are looked at at once. */
export const poolsTradedSignal = defineSignal<[readonly string[]]>('poolsTraded');

/** Registered name of the check of the market's swaps against the chain. */
export const MARKET_CHECK_WORKFLOW = 'marketCheck';

/** Which tokens are to be checked, and what may be done about differences. */
export interface MarketCheckInput extends Omit<MarketCheckRequest, 'mint'> {
  readonly mints: readonly string[];
}

/** What the checks found. */
export interface MarketCheckAnswer {
  readonly reports: readonly MarketCheckReport[];
  /** Mints of no token that is known. */
  readonly unknown: readonly string[];
}
