import type { Migration, MigrationProvider } from 'kysely';
import * as platform from './0001-platform.ts';
import * as pairs from './0002-pairs.ts';
import * as inventory from './0003-inventory.ts';
import * as launch from './0004-launch.ts';
import * as money from './0005-money.ts';
import * as tokens from './0006-tokens.ts';
import * as airdrop from './0007-airdrop.ts';
import * as claim from './0008-claim.ts';
import * as market from './0009-market.ts';
import * as restock from './0010-restock.ts';
import * as burns from './0011-burns.ts';
import * as feeSweep from './0012-fee-sweep.ts';
import * as buyback from './0013-buyback.ts';
import * as reward from './0014-reward.ts';
import * as reconcile from './0015-reconcile.ts';

const migrations: Record<string, Migration> = {
  '0001-platform': platform,
  '0002-pairs': pairs,
  '0003-inventory': inventory,
  '0004-launch': launch,
  '0005-money': money,
  '0006-tokens': tokens,
  '0007-airdrop': airdrop,
  '0008-claim': claim,
  '0009-market': market,
  '0010-restock': restock,
  '0011-burns': burns,
  '0012-fee-sweep': feeSweep,
  '0013-buyback': buyback,
  '0014-reward': reward,
  '0015-reconcile': reconcile,
};

/** All migrations by name. A static list: a migration is part of the program, not whatever lies in a folder. */
export const migrationProvider: MigrationProvider = { getMigrations: () => Promise.resolve(migrations) };
