import type { Connection } from '@solana/web3.js';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { PlatformSigners } from '../../chain/signers/platform-signers.ts';
import type { PositionSweep, SweepIn } from '../../db/fee-sweep/fee-sweeps.ts';
import type { SpendablePrices } from '../../domain/trading/spendable-price.ts';
import type { FollowSettings, MoneyDeps } from '../money/deps.ts';
import type { ClosableLeg } from '../money/work/leg.ts';

export interface FeeSweepSettings extends FollowSettings {
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

export interface FeeSweepRules {
  /** Of a position's fees, USD, exact decimal. */
  readonly leastUsd: string;
  /** Of revenue. */
  readonly buybackBps: number;
  /** Of revenue, for the ranked tokens. */
  readonly flywheelBps: number;
  /** Window of the average price for burns. */
  readonly averageMinutes: number;
  readonly platformToken: string | null;
}

export interface FeeSweepDeps extends MoneyDeps {
  readonly exchange: Exchange;
  readonly exchangeAt: (connection: Connection) => Exchange;
  readonly signers: PlatformSigners;
  readonly spendablePrices: SpendablePrices;
  readonly settings: FeeSweepSettings;
  readonly rules: FeeSweepRules;
}

export type PlannedLeg = ClosableLeg<FeeSweepDeps, PositionSweep, SweepIn<'planned'>>;
