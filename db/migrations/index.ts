import type { Migration, MigrationProvider } from 'kysely';
import * as platform from './0001-platform.ts';
import * as pairs from './0002-pairs.ts';
import * as launches from './0003-launches.ts';
import * as chainTransactions from './0004-chain-transactions.ts';
import * as tokens from './0005-tokens.ts';
import * as claims from './0006-claims.ts';
import * as market from './0007-market.ts';
import * as tokenMarkets from './0008-token-markets.ts';
import * as inventory from './0009-inventory.ts';
import * as launchCare from './0010-launch-care.ts';
import * as claimSearch from './0011-claim-search.ts';
import * as searchInOrder from './0012-search-in-order.ts';
import * as revenue from './0013-revenue.ts';
import * as airdrop from './0014-airdrop.ts';
import * as rewards from './0015-rewards.ts';
import * as buyback from './0016-buyback.ts';
import * as holderCounts from './0018-holder-counts.ts';
import * as rateCounters from './0030-rate-counters.ts';
import * as lanes from './0040-lanes.ts';

const migrations: Record<string, Migration> = {
  '0001-platform': platform,
  '0002-pairs': pairs,
  '0003-launches': launches,
  '0004-chain-transactions': chainTransactions,
  '0005-tokens': tokens,
  '0006-claims': claims,
  '0007-market': market,
  '0008-token-markets': tokenMarkets,
  '0009-inventory': inventory,
  '0010-launch-care': launchCare,
  '0011-claim-search': claimSearch,
  '0012-search-in-order': searchInOrder,
  '0013-revenue': revenue,
  '0014-airdrop': airdrop,
  '0015-rewards': rewards,
  '0016-buyback': buyback,
  '0018-holder-counts': holderCounts,
  '0030-rate-counters': rateCounters,
  '0040-lanes': lanes,
};

/** All migrations by name. A static list: a migration is part of the program, not whatever lies in a folder. */
export const migrationProvider: MigrationProvider = { getMigrations: () => Promise.resolve(migrations) };
