import type { AirdropTables } from './airdrop.ts';
import type { BurnsTables } from './burns.ts';
import type { BuybackTables } from './buyback.ts';
import type { ClaimTables } from './claim.ts';
import type { EventsTables } from './events.ts';
import type { FeeSweepTables } from './fee-sweep.ts';
import type { InventoryTables } from './inventory.ts';
import type { LaunchTables } from './launch.ts';
import type { MarketTables } from './market.ts';
import type { MoneyTables } from './money.ts';
import type { PairsTables } from './pairs.ts';
import type { PlatformTables } from './platform.ts';
import type { ProofTables } from './proof.ts';
import type { ReconcileTables } from './reconcile.ts';
import type { RestockTables } from './restock.ts';
import type { RewardTables } from './reward.ts';
import type { StatementsTables } from './statements.ts';
import type { TokensTables } from './tokens.ts';
import type { WebhooksTables } from './webhooks.ts';

/**
 * Tables as the migrations create them; a test compares both. camelCase here, snake_case in SQL. `bigint` and
 * `numeric(n, 0)` are bigint, other numerics exact decimal strings, `timestamptz` Date.
 */
export interface Database
  extends
    AirdropTables,
    BurnsTables,
    BuybackTables,
    ClaimTables,
    EventsTables,
    FeeSweepTables,
    InventoryTables,
    LaunchTables,
    MarketTables,
    MoneyTables,
    PairsTables,
    PlatformTables,
    ProofTables,
    ReconcileTables,
    RestockTables,
    RewardTables,
    StatementsTables,
    TokensTables,
    WebhooksTables {}
