import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLaunchAddressRepository, type LaunchAddressRepository } from '../../db/launch-addresses.ts';
import { launchTerms } from './launch-fixtures.ts';
import { useDatabase } from './use-database.ts';

const { db } = useDatabase();
let pool: LaunchAddressRepository;

beforeEach(() => {
  pool = createLaunchAddressRepository(db());
});

function derived(seedId: string) {
  const { quoteId, genesisHash, addresses } = launchTerms();
  return { quoteId, seedId, genesisHash, addresses };
}

async function filled(count: number) {
  const seedId = randomUUID();
  const rows = Array.from({ length: count }, () => derived(seedId));
  expect(await pool.addFree(rows)).toBe(count);
  return { seedId, rows };
}

describe('the pool of launch addresses', () => {
  it('gives back a row as it was added', async () => {
    const { rows } = await filled(1);
    expect(await pool.takeOne()).toEqual(rows[0]);
    expect(await pool.byQuoteId(rows[0]!.quoteId)).toEqual(rows[0]);
  });

  it('20 concurrent prepares take 20 different rows', async () => {
    const { seedId } = await filled(20);
    const taken = await Promise.all(Array.from({ length: 20 }, () => pool.takeOne()));
    expect(new Set(taken.map((row) => row?.quoteId)).size).toBe(20);
    expect(taken).not.toContain(null);
    expect(await pool.countFree(seedId)).toBe(0);
  });

  it('never gives a row twice, and answers null when it is empty', async () => {
    await filled(1);
    expect(await pool.takeOne()).not.toBeNull();
    expect(await pool.takeOne()).toBeNull();
  });

  it('counts each seed for itself', async () => {
    const { seedId } = await filled(2);
    const other = await filled(1);
    expect(await pool.countFree(seedId)).toBe(2);
    expect(await pool.countFree(other.seedId)).toBe(1);
  });

  it('does not make a taken row free again when it is added once more', async () => {
    const { seedId, rows } = await filled(1);
    await pool.takeOne();
    expect(await pool.addFree(rows)).toBe(0);
    expect(await pool.countFree(seedId)).toBe(0);
  });

  it('refuses a mint that was derived before under another quote id', async () => {
    const { rows } = await filled(1);
    await expect(pool.addFree([{ ...rows[0]!, quoteId: randomUUID() }])).rejects.toThrow('launch_addresses');
  });
});
