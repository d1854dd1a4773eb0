import type { Connection } from '@solana/web3.js';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { BundleRelay } from '../../chain/relay/bundle-relay.ts';
import type { PlatformSigners } from '../../chain/signers/platform-signers.ts';
import type { MarketLimits } from '../../domain/trading/limits.ts';
import type { SpendablePrices } from '../../domain/trading/spendable-price.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

export interface BuybackTransactionSettings extends FollowSettings {
  readonly tipLamports: bigint;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

export interface BuybackRules {
  /** An address. */
  readonly platformToken: string | null;
  /** USD, exact decimal. */
  readonly leastUsd: string;
  readonly rankedTokens: number;
  readonly rankedDays: number;
  readonly averageMinutes: number;
  readonly limits: MarketLimits;
}

export interface BuybackDeps extends MoneyDeps {
  readonly exchange: Exchange;
  readonly exchangeAt: (connection: Connection) => Exchange;
  readonly relay: BundleRelay;
  readonly signers: PlatformSigners;
  readonly spendablePrices: SpendablePrices;
  readonly rules: BuybackRules;
  readonly settings: BuybackTransactionSettings;
}
