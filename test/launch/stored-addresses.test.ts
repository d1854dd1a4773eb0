import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { connect, transaction } from '../../db/connect.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { launchTerms } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db, url } = useDatabase();

beforeEach(async () => {
  await db().deleteFrom('launchAddresses').execute();
});

function derived(seedId: string) {
  const { quoteId, genesisHash, addresses } = launchTerms();
  return { quoteId, seedId, genesisHash, addresses };
}

async function filled(count: number, seedId = 'seed-1') {
  const rows = Array.from({ length: count }, () => derived(seedId));
  expect(await launchAddresses.addFree(db(), rows)).toBe(count);
  return rows;
}

describe('the pool of launch addresses', () => {
  it('gives back a row as it was added', async () => {
    const [row] = await filled(1);
    expect(await launchAddresses.takeOne(db(), {})).toEqual(row);
    expect(await launchAddresses.byQuoteId(db(), row!.quoteId)).toEqual(row);
  });

  it('20 concurrent prepares take 20 different rows', async () => {
    await filled(20);
    const taken = await Promise.all(Array.from({ length: 20 }, () => launchAddresses.takeOne(db(), {})));
    expect(new Set(taken.map((row) => row?.quoteId)).size).toBe(20);
    expect(taken).not.toContain(null);
    expect(await launchAddresses.countFree(db(), 'seed-1')).toBe(0);
  });

  it('a prepare that is still taking its row does not hold up the next one', async () => {
    const rows = await filled(2);
    const quick = connect(url(), { lockTimeoutMs: 200 });
    const taken = await transaction(db(), async (tx) => [
      await launchAddresses.takeOne(tx, {}),
      await launchAddresses.takeOne(quick, {}),
    ]);
    expect(new Set(taken.map((row) => row?.quoteId))).toEqual(new Set(rows.map((row) => row.quoteId)));
    await quick.destroy();
  });

  it('never gives a row twice, and answers null when it is empty', async () => {
    await filled(1);
    expect(await launchAddresses.takeOne(db(), {})).not.toBeNull();
    expect(await launchAddresses.takeOne(db(), {})).toBeNull();
  });

  it('counts the free rows of each seed', async () => {
    await filled(2, 'seed-1');
    await filled(3, 'seed-2');
    expect([await launchAddresses.countFree(db(), 'seed-1'), await launchAddresses.countFree(db(), 'seed-2')]).toEqual([
      2, 3,
    ]);
  });

  it('drops the free rows of seeds that nobody holds any more, and keeps taken ones', async () => {
    const [taken] = await filled(2, 'lost');
    await db()
      .updateTable('launchAddresses')
      .set({ takenAt: new Date() })
      .where('quoteId', '=', taken!.quoteId)
      .execute();
    await filled(1, 'held');
    expect(await launchAddresses.discardFree(db(), ['held', 'newer'])).toBe(1);
    expect([await launchAddresses.countFree(db(), 'lost'), await launchAddresses.countFree(db(), 'held')]).toEqual([
      0, 1,
    ]);
    expect(await launchAddresses.byQuoteId(db(), taken!.quoteId)).toEqual(taken);
  });

  it('does not make a taken row free again when it is added once more', async () => {
    const rows = await filled(1);
    await launchAddresses.takeOne(db(), {});
    expect(await launchAddresses.addFree(db(), rows)).toBe(0);
    expect(await launchAddresses.countFree(db(), 'seed-1')).toBe(0);
  });

  it('refuses a mint that was derived before under another quote id', async () => {
    const [row] = await filled(1);
    await expect(launchAddresses.addFree(db(), [{ ...row!, quoteId: randomUUID() }])).rejects.toThrow(
      'launch_addresses',
    );
  });
});
