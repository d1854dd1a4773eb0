import type { Connection } from '@solana/web3.js';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { PlatformSigners } from '../../chain/signers/platform-signers.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';

/** How sweeps are followed and paid for. */
export interface FeeSweepSettings extends FollowSettings {
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/** What is swept, and how it is divided. */
export interface FeeSweepRules {
  /** Least that a position's fees must be worth to be collected, USD as an exact decimal. */
  readonly leastUsd: string;
  /** Share of the revenue that is for buybacks. */
  readonly buybackBps: number;
  /** Share of it that is for buying the ranked tokens. */
  readonly flywheelBps: number;
  /** Mint of the platform token; null where there is none. */
  readonly platformToken: string | null;
}

/** Everything that sweeps of fees use from outside. */
export interface FeeSweepDeps extends MoneyDeps {
  readonly exchange: Exchange;
  /** The same exchange, read through another connection: one endpoint's alone. */
  readonly exchangeAt: (connection: Connection) => Exchange;
  readonly signers: PlatformSigners;
  readonly prices: PriceSource;
  readonly settings: FeeSweepSettings;
  readonly rules: FeeSweepRules;
}
