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
  /** Signings of the missing rest before an operator is asked. */
  readonly resumeTries: number;
}

export interface LaunchDeps extends MoneyDeps {
  readonly relay: BundleRelay;
  readonly builder: LaunchBuilder;
  readonly store: PermanentStore;
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
  readonly settings: LandingSettings;
  /** Landed bundles, before the next poll. */
  readonly hints: LandingHints;
  /** Spot: they check where a pool opens. */
  readonly prices: PriceSource;
  /** Stock may be sold at them. */
  readonly spendablePrices: SpendablePrices;
  /** Most stock of a pair that dev buys take in an hour, USD, exact decimal. */
  readonly devBuyHourUsd: string;
  readonly priceToleranceBps: number;
  /** Launches a day that store files unpaid. */
  readonly unpaidFiles: OpenerLimits;
  /** Does nothing if it runs. */
  readonly startAirdrop: (quoteId: string) => Promise<void>;
  readonly siteUrl: string;
}
