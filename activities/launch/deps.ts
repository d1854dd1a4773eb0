import type { BundleRelay } from '../../chain/relay/bundle-relay.ts';
import type { PermanentStore } from '../../chain/storage/permanent-store.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { LaunchBuilder } from '../../chain/launch/launch-builder.ts';
import type { LandingHints } from '../../chain/rpc/landing-hints.ts';
import type { KeyContext, LaunchSeed } from '../../chain/keys/launch-keys.ts';
import type { OpenerLimits } from '../../db/launch/opener-limits.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

/** Figures that decide how a bundle is paid for and followed. */
export interface LandingSettings extends FollowSettings {
  /** Tip of a bundle, in lamports. */
  readonly tipLamports: bigint;
  /** Priority fee of the transactions after the payment, in micro-lamports per compute unit. */
  readonly computeUnitPrice: bigint;
  /** How often the missing rest of a bundle is signed anew before an operator is asked. */
  readonly resumeTries: number;
}

/** Everything the steps of a launch use from outside. */
export interface LaunchDeps extends MoneyDeps {
  readonly relay: BundleRelay;
  readonly builder: LaunchBuilder;
  readonly store: PermanentStore;
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
  readonly settings: LandingSettings;
  /** Tells of bundles that land before they are asked for. */
  readonly hints: LandingHints;
  /** The worker's own prices, by which it checks what a quote was sealed with. */
  readonly prices: PriceSource;
  /** How far a price may have moved since the quote was made, bps. */
  readonly priceToleranceBps: number;
  /** How many launches may have their files stored within a day without being paid. */
  readonly unpaidFiles: OpenerLimits;
  /** Starts the delivery of a launch's airdrop; does nothing where it runs. */
  readonly startAirdrop: (quoteId: string) => Promise<void>;
  readonly siteUrl: string;
}
