import type { PublicKey } from '@solana/web3.js';
import type { KeyContext, LaunchSeed } from '../../chain/keys/launch-keys.ts';
import type { PlatformSigners } from '../../chain/signers/platform-signers.ts';
import type { SwapAggregator } from '../../chain/aggregator/swap-aggregator.ts';
import type { RestockLimits } from '../../domain/restock/restock.ts';
import type { SpendablePrices } from '../../domain/trading/spendable-price.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

export interface RestockSettings extends FollowSettings {
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

export interface RestockDeps extends MoneyDeps {
  readonly signers: PlatformSigners;
  /** Newest first; derive the swapping wallet. */
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
  readonly spendablePrices: SpendablePrices;
  readonly aggregator: SwapAggregator;
  /** Callable by swaps. */
  readonly programs: readonly PublicKey[];
  /** Null if restocks are off. */
  readonly limits: RestockLimits | null;
  readonly settings: RestockSettings;
}
