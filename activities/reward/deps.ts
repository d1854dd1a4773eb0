import type { KeyContext, LaunchSeed } from '../../chain/keys/launch-keys.ts';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { BundleRelay } from '../../chain/relay/bundle-relay.ts';
import type { PlatformSigners } from '../../chain/signers/platform-signers.ts';
import type { MarketLimits } from '../../domain/trading/limits.ts';
import type { RewardRules } from '../../domain/reward/rules.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

/** How transactions of rounds are followed and paid for. */
export interface RewardTransactionSettings extends FollowSettings {
  /** Tip of a swap's bundle, lamports. */
  readonly tipLamports: bigint;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/** How rounds work. */
export interface RewardSettings extends RewardRules {
  /** Within so many seconds after its plan a round sells, at a random moment. */
  readonly saleWindowSeconds: number;
  /** Slots within which balances are observed. */
  readonly snapshotWindowSlots: number;
  /** Minutes that average prices are of. */
  readonly averageMinutes: number;
  readonly limits: MarketLimits;
  /** Tokens that one run looks at. */
  readonly tokensPerRun: number;
  /** Payout transactions of one round under way at once. */
  readonly payoutsAtOnce: number;
}

/** Everything that reward rounds use from outside. */
export interface RewardDeps extends MoneyDeps {
  readonly exchange: Exchange;
  readonly relay: BundleRelay;
  readonly signers: PlatformSigners;
  /** Newest first; a token's pot is derived from one. */
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
  readonly prices: PriceSource;
  /** Those that money may be spent by. */
  readonly steadyPrices: PriceSource;
  readonly rewards: RewardSettings;
  readonly settings: RewardTransactionSettings;
}
