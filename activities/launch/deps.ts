import type { BundleRelay } from '../../chain/relay/bundle-relay.ts';
import type { PermanentStore } from '../../chain/storage/permanent-store.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { LaunchBuilder } from '../../chain/launch/launch-builder.ts';
import type { LandingHints } from '../../chain/rpc/landing-hints.ts';
import type { KeyContext, LaunchSeed } from '../../chain/keys/launch-keys.ts';
import type { OpenerLimits } from '../../db/launch/opener-limits.ts';
import type { SpendablePrices } from '../../domain/trading/spendable-price.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

export interface LandingSettings extends FollowSettings {
  readonly tipLamports: bigint;
  /** After the payment, in micro-lamports per compute unit. */
  readonly computeUnitPrice: bigint;
  /** How often the missing rest is signed again before an operator decides. */
  readonly resumeTries: number;
}

export interface LaunchDeps extends MoneyDeps {
  readonly relay: BundleRelay;
  readonly builder: LaunchBuilder;
  readonly store: PermanentStore;
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
  readonly settings: LandingSettings;
  /** Notifications of landed bundles, ahead of the next poll. */
  readonly hints: LandingHints;
  /** Spot prices, to check at which price a pool opens. */
  readonly prices: PriceSource;
  /** Steady prices, at which stock may be sold. */
  readonly spendablePrices: SpendablePrices;
  /** Most stock of a pair that dev buys take in an hour, USD, exact decimal. */
  readonly devBuyHourUsd: string;
  readonly priceToleranceBps: number;
  /** How many unpaid launches a day may store files. */
  readonly unpaidFiles: OpenerLimits;
  /** Does nothing if it runs. */
  readonly startAirdrop: (quoteId: string) => Promise<void>;
  readonly siteUrl: string;
}
