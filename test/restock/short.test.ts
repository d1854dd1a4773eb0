import { afterAll, beforeAll, expect, it } from 'vitest';
import { clearRestock } from '../../activities/restock/clear.ts';
import { findShortRestocks } from '../../activities/restock/short-rounds.ts';
import { createRestockActivities } from '../../activities/restock/activities.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { type RestockFixture, startRestockFixture } from '../support/restock/restock-platform.ts';

const dollar = SEED_PAIRS[0]!;

let ground: RestockFixture;
beforeAll(async () => {
  ground = await startRestockFixture();
});
afterAll(() => ground.close());

it('a restock that brought less than what was signed is not done: it stops its pair, and says so, until an operator clears it', async () => {
  const { db } = ground.platform;
  await ground.want(dollar, 150n);
  // Nothing can make a purchase bring less than its transaction says, so the transaction is said to have agreed on more.
  const rpc: RestockFixture['deps']['rpc'] = {
    ...ground.deps.rpc,
    sendWire: async (wire) => {
      await db
        .updateTable('restockRounds')
        .set({ agreedRaw: 10n ** 12n })
        .where('state', '=', 'open')
        .execute();
      return ground.deps.rpc.sendWire(wire);
    },
  };
  const activities = createRestockActivities({ ...ground.deps, rpc });
  const [roundId = ''] = await activities.planRestocks();
  const stock = await ground.stock(dollar);
  expect(await activities.buyForInventory(roundId)).toBe('short');
  const receivedRaw = (await ground.stock(dollar)) - stock;
  const reason = `it brought ${receivedRaw} raw units, at least 1000000000000 were agreed`;
  expect((await ground.rounds()).at(-1)).toMatchObject({ id: roundId, state: 'short', receivedRaw, reason });

  await ground.want(dollar, 300n);
  expect(await activities.planRestocks()).toEqual([]);
  const subject = `restock/${roundId}`;
  expect(await findShortRestocks({ db })).toMatchObject([{ kind: 'restock-short', subject }]);

  const { treasury, platform } = ground.deps.signers;
  const deps = { ...ground.deps, wallets: { treasury: treasury.publicKey, platform: platform.publicKey } };
  expect(await clearRestock(deps, subject)).toBe(`the pair of restock ${roundId} is bought again`);
  expect(await findShortRestocks({ db })).toEqual([]);
  await expect(clearRestock(deps, subject)).rejects.toThrow(`${subject} stops no pair`);
  const [next = ''] = await activities.planRestocks();
  expect(next).not.toBe('');
});

it('what was signed is agreed by its round, and a purchase that keeps to it is done', async () => {
  ground.market.behaviour = {};
  const [roundId = ''] = await ground.activities.planRestocks();
  expect(await ground.activities.buyForInventory(roundId)).toBe('done');
  const round = (await ground.rounds()).find(({ id }) => id === roundId);
  expect(round?.agreedRaw).toBeGreaterThan(0n);
  expect(round?.receivedRaw).toBeGreaterThanOrEqual(round?.agreedRaw ?? 0n);
});
