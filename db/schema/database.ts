import type { AirdropTables } from './airdrop.ts';
import type { BurnsTables } from './burns.ts';
import type { BuybackTables } from './buyback.ts';
import type { ClaimTables } from './claim.ts';
import type { FeeSweepTables } from './fee-sweep.ts';
import type { InventoryTables } from './inventory.ts';
import type { LaunchTables } from './launch.ts';
import type { MarketTables } from './market.ts';
import type { MoneyTables } from './money.ts';
import type { PairsTables } from './pairs.ts';
import type { PlatformTables } from './platform.ts';
import type { ReconcileTables } from './reconcile.ts';
import type { RestockTables } from './restock.ts';
import type { RewardTables } from './reward.ts';
import type { TokensTables } from './tokens.ts';

/**
 * The tables as the migrations make them; a test compares the two. Columns are camelCase here and snake_case in SQL.
 * `bigint`, `numeric(n, 0)` come back as bigint, numerics with a scale as exact decimal strings, `timestamptz` as Date.
 */
export interface Database
  extends
    AirdropTables,
    BurnsTables,
    BuybackTables,
    ClaimTables,
    FeeSweepTables,
    InventoryTables,
    LaunchTables,
    MarketTables,
    MoneyTables,
    PairsTables,
    PlatformTables,
    ReconcileTables,
    RestockTables,
    RewardTables,
    TokensTables {}
