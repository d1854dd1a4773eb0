import type { Kysely } from 'kysely';
import * as airdrop from '../baseline/airdrop.ts';
import * as burns from '../baseline/burns.ts';
import * as buyback from '../baseline/buyback.ts';
import * as claim from '../baseline/claim.ts';
import * as events from '../baseline/events.ts';
import * as feeSweep from '../baseline/fee-sweep.ts';
import * as inventory from '../baseline/inventory.ts';
import * as launch from '../baseline/launch.ts';
import * as market from '../baseline/market.ts';
import * as money from '../baseline/money.ts';
import * as pairs from '../baseline/pairs.ts';
import * as platform from '../baseline/platform.ts';
import * as proof from '../baseline/proof.ts';
import * as reconcile from '../baseline/reconcile.ts';
import * as restock from '../baseline/restock.ts';
import * as reward from '../baseline/reward.ts';
import * as statements from '../baseline/statements.ts';
import * as swaps from '../baseline/swaps.ts';
import * as tokens from '../baseline/tokens.ts';
import * as totals from '../baseline/totals.ts';
import * as webhooks from '../baseline/webhooks.ts';

/** Parts of the schema, in order of references. */
const NOUNS = [
  platform,
  statements,
  pairs,
  inventory,
  launch,
  money,
  tokens,
  proof,
  airdrop,
  claim,
  market,
  swaps,
  restock,
  burns,
  feeSweep,
  buyback,
  reward,
  reconcile,
  totals,
  events,
  webhooks,
];

/** Creates the schema of version 0.1.0. Changes are new migrations, from `0002` on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const noun of NOUNS) await noun.up(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const noun of NOUNS.toReversed()) await noun.down(db);
}
