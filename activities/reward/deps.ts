import type { Connection } from '@solana/web3.js';
import type { KeyContext, LaunchSeed } from '../../chain/keys/launch-keys.ts';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { BundleRelay } from '../../chain/relay/bundle-relay.ts';
import type { PlatformSigners } from '../../chain/signers/platform-signers.ts';
import type { MarketLimits } from '../../domain/trading/limits.ts';
import type { SpendablePrices } from '../../domain/trading/spendable-price.ts';
import type { RewardRules } from '../../domain/reward/rules.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

export interface RewardTransactionSettings extends FollowSettings {
  readonly tipLamports: bigint;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

export interface RewardSettings extends RewardRules {
  /** Sales come at a random moment within it. */
  readonly saleWindowSeconds: number;
  /** Balances are observed within it. */
  readonly snapshotWindowSlots: number;
  readonly averageMinutes: number;
  readonly limits: MarketLimits;
  readonly tokensPerRun: number;
  readonly payoutsAtOnce: number;
}

export interface RewardDeps extends MoneyDeps {
  readonly exchange: Exchange;
  readonly exchangeAt: (connection: Connection) => Exchange;
  readonly relay: BundleRelay;
  readonly signers: PlatformSigners;
  /** Newest first; derive the pots. */
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
  readonly spendablePrices: SpendablePrices;
  readonly rewards: RewardSettings;
  readonly settings: RewardTransactionSettings;
}
