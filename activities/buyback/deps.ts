import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { BundleRelay } from '../../chain/relay/bundle-relay.ts';
import type { PlatformSigners } from '../../chain/signers/platform-signers.ts';
import type { MarketLimits } from '../../domain/trading/limits.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

/** How transactions of purchases are followed and paid for. */
export interface BuybackTransactionSettings extends FollowSettings {
  /** Tip of a swap's bundle, lamports. */
  readonly tipLamports: bigint;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/** What revenue buys, and within which limits. */
export interface BuybackRules {
  /** Mint of the platform token; null where there is none. */
  readonly platformToken: string | null;
  /** Least that a budget must be worth to be spent, USD as an exact decimal. */
  readonly leastUsd: string;
  /** Tokens in the ranking. */
  readonly rankedTokens: number;
  /** Days whose fee revenue ranks the tokens. */
  readonly rankedDays: number;
  /** Minutes that average prices are of. */
  readonly averageMinutes: number;
  readonly limits: MarketLimits;
}

/** Everything that purchases with revenue use from outside. */
export interface BuybackDeps extends MoneyDeps {
  readonly exchange: Exchange;
  readonly relay: BundleRelay;
  readonly signers: PlatformSigners;
  readonly prices: PriceSource;
  readonly rules: BuybackRules;
  readonly settings: BuybackTransactionSettings;
}
