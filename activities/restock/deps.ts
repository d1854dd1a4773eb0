import type { PublicKey } from '@solana/web3.js';
import type { KeyContext, LaunchSeed } from '../../chain/keys/launch-keys.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { PlatformSigners } from '../../chain/signers/platform-signers.ts';
import type { SwapAggregator } from '../../chain/aggregator/swap-aggregator.ts';
import type { RestockLimits } from '../../domain/restock/restock.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

/** How a restock's transaction is followed and paid for. */
export interface RestockSettings extends FollowSettings {
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/** Everything that purchases of quote tokens use from outside. */
export interface RestockDeps extends MoneyDeps {
  readonly signers: PlatformSigners;
  /** Newest first; the wallet that swaps is derived from one. */
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
  /** Those that money may be spent by. */
  readonly steadyPrices: PriceSource;
  readonly aggregator: SwapAggregator;
  /** Programs that swaps may call. */
  readonly programs: readonly PublicKey[];
  /** Null where restocks are switched off. */
  readonly limits: RestockLimits | null;
  readonly settings: RestockSettings;
}
