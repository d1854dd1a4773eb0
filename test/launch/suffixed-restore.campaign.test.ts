import { expect, test } from 'vitest';
import { deriveLaunchAddresses } from '../../chain/keys/launch-keys.ts';
import { searchMint } from '../../chain/keys/mint-search.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import type { DerivedAddresses } from '../../db/launch/launch-addresses.ts';
import { useDatabase } from '../support/db/use-database.ts';

const context = { genesisHash: 'genesis', environment: 'test' };
const seed = { id: 'seed-1', secret: new Uint8Array(32).fill(7) };
const { db } = useDatabase();

function derive(quoteId: string): DerivedAddresses {
  return { quoteId, seedId: seed.id, genesisHash: 'genesis', addresses: deriveLaunchAddresses(seed, context, quoteId) };
}

function searched(count: number): DerivedAddresses[] {
  const next = () => searchMint({ secret: seed.secret, context, suffix: 'w' }, () => false) ?? '';
  return Array.from({ length: count }, () => derive(next()));
}

async function takeAll(): Promise<DerivedAddresses[]> {
  const all: DerivedAddresses[] = [];
  for (;;) {
    const taken = await launchAddresses.takeOne(db(), {});
    if (taken === null) return all;
    all.push(taken);
  }
}

test('a thousand addresses with a suffix are the same bytes before and after a restore, and no launch gets the address of another', async () => {
  const rows = searched(1_000);
  await launchAddresses.addFree(db(), rows.slice(0, 500), 'w');
  const backup = await db().selectFrom('launchAddresses').selectAll().execute();
  await launchAddresses.addFree(db(), rows.slice(500), 'w');
  const given = await takeAll();
  const mints = new Set(given.map(({ addresses }) => addresses.mint));
  expect(mints.size).toBe(1_000);

  // Back to the moment of the backup: 500 used addresses look free, 500 are unknown.
  await db().deleteFrom('launchAddresses').execute();
  await db().insertInto('launchAddresses').values(backup).execute();
  for (const row of rows) expect(derive(row.quoteId)).toEqual(row);

  // As the runbook says. The search draws new ids, so it never comes back to those of before.
  expect(await launchAddresses.discardFree(db(), [])).toBe(500);
  await launchAddresses.addFree(db(), searched(200), 'w');
  const later = await takeAll();
  expect(later).toHaveLength(200);
  expect(later.filter(({ addresses }) => mints.has(addresses.mint))).toEqual([]);
});
