import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deriveLaunchAddresses } from '../../chain/keys/launch-keys.ts';
import { connect, type Db } from '../../db/connect.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { type AddressPoolDeps, fillAddressPool, keepAddressPoolFilled } from '../../worker/launch/address-pool.ts';
import { createTestDatabase } from '../setup/database.ts';

const context = { genesisHash: 'genesis', environment: 'test' };
let db: Db;

beforeEach(async () => {
  db = connect((await createTestDatabase()).url);
});
afterEach(() => db.destroy());

/** A pool with a seed of its own. */
function pool(changes: Partial<AddressPoolDeps> = {}) {
  const seed = { id: randomUUID(), secret: new Uint8Array(32).fill(7) };
  const deps: AddressPoolDeps = {
    countFree: () => launchAddresses.countFree(db, seed.id),
    addFree: async (rows) =>
      void (await launchAddresses.addFree(
        db,
        rows.map((row) => ({ ...row, genesisHash: 'genesis' })),
      )),
    derive: (quoteId) => ({ quoteId, seedId: seed.id, addresses: deriveLaunchAddresses(seed, context, quoteId) }),
    newQuoteId: randomUUID,
    logger: pino({ level: 'silent' }),
    target: 50,
    checkEveryMs: 20,
    ...changes,
  };
  return { seed, deps };
}

const never = new AbortController().signal;

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200 && !(await condition()); tries++) await sleep(20);
  expect(await condition()).toBe(true);
}

describe('the pool of launch addresses', () => {
  it('is filled to its target exactly, and a full pool is left alone', async () => {
    const { deps, seed } = pool();
    expect(await fillAddressPool(deps, never)).toBe(50);
    expect(await launchAddresses.countFree(db, seed.id)).toBe(50);
    expect(await fillAddressPool(deps, never)).toBe(0);
  });

  it('holds addresses that the seed derives again', async () => {
    const { deps, seed } = pool({ target: 1 });
    await fillAddressPool(deps, never);
    const taken = await launchAddresses.takeOne(db, {});
    expect(taken?.addresses).toEqual(deriveLaunchAddresses(seed, context, taken?.quoteId ?? ''));
  });

  it('is refilled while it runs, also after a failure, and stops at the signal', async () => {
    let failures = 1;
    const { deps, seed } = pool({ target: 5 });
    const countFree = () => (failures-- > 0 ? Promise.reject(new Error('connection lost')) : deps.countFree());
    const stop = new AbortController();
    const running = keepAddressPoolFilled({ ...deps, countFree }, stop.signal);
    await until(async () => (await launchAddresses.countFree(db, seed.id)) === 5);
    await launchAddresses.takeOne(db, {});
    await until(async () => (await launchAddresses.countFree(db, seed.id)) === 5);
    stop.abort();
    await running;
    await launchAddresses.takeOne(db, {});
    await sleep(100);
    expect(await launchAddresses.countFree(db, seed.id)).toBe(4);
  });

  it('of a new seed starts empty: rows of the old one do not count', async () => {
    const [old, fresh] = [pool({ target: 3 }), pool({ target: 3 })];
    await fillAddressPool(old.deps, never);
    expect(await fillAddressPool(fresh.deps, never)).toBe(3);
  });
});
