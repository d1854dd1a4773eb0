import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFeeSweepActivities } from '../../activities/fee-sweep/activities.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { type FeeFixture, type FeeMarket, startFeeFixture } from '../support/fee-sweep/fee-sweep-platform.ts';
import { startLiar } from '../support/rpc/scripted-node.ts';

let ground: FeeFixture;
let market: FeeMarket;
beforeAll(async () => {
  ground = await startFeeFixture();
  market = await ground.open({ mode: 'standard', feeTier: '1%' });
  await ground.run();
});
afterAll(() => ground.close());

/** Answers about accounts what it answered first. */
function frozen() {
  const first = new Map<string, unknown>();
  return (method: string, result: unknown, params: readonly unknown[]): unknown => {
    if (method !== 'getMultipleAccounts' && method !== 'getAccountInfo') return result;
    const question = JSON.stringify([method, params]);
    if (!first.has(question)) first.set(question, result);
    return first.get(question);
  };
}

it('fees that a preferred endpoint of three hides are collected, also where nobody trades any more', async () => {
  const { rpcUrl } = ground.platform.chain;
  await using liar = await startLiar(rpcUrl, frozen());
  const rpc = createRpc({ endpoints: [liar.url, `${rpcUrl}/rpc/a`, `${rpcUrl}/rpc/b`] });
  const exchange = ground.deps.exchangeAt(rpc.connection);
  const activities = createFeeSweepActivities({ ...ground.deps, rpc, exchange });
  await market.tradeSeen('buy', 1_000n);
  await activities.planFeeSweeps('');
  expect(await market.sweeps()).toEqual([]);
  await market.tradeSeen('buy', 5_000_000_000n);
  await activities.planFeeSweeps('');
  expect(await market.sweeps()).toMatchObject([{ number: 1, state: 'planned' }]);
  expect(await ground.run()).toBe(1);
  expect((await market.harvests())[0]?.quoteRaw).toBeGreaterThan(1_000_000n);
});

it('an endpoint that lacks the pool does not confirm that its fees are poor', async () => {
  const { rpcUrl } = ground.platform.chain;
  const quiet = await ground.open({ mode: 'standard', feeTier: '1%' });
  await quiet.tradeSeen('buy', 1_000n);
  await ground.run();
  await using old = await startLiar(rpcUrl, frozen());
  await using behind = await startLiar(rpcUrl, async (method, result) => {
    if (method !== 'getMultipleAccounts' && method !== 'getAccountInfo') return result;
    // The other one has answered by then.
    await setTimeout(200);
    return withoutAccounts(result);
  });
  const rpc = createRpc({ endpoints: [old.url, behind.url] });
  const exchange = ground.deps.exchangeAt(rpc.connection);
  const activities = createFeeSweepActivities({ ...ground.deps, rpc, exchange });
  await exchange.readPools([quiet.pool]);
  await exchange.readClaimables([{ pool: quiet.pool, feeKeyMint: quiet.platformKey }]);
  await quiet.tradeSeen('buy', 5_000_000_000n);
  const before = await lastLookAt(quiet);
  await activities.planFeeSweeps('');
  expect(await quiet.sweeps()).toEqual([]);
  // Another look is due, whether or not somebody trades again.
  expect(await lastLookAt(quiet)).toBe(before);
  await ground.activities.planFeeSweeps('');
  expect(await quiet.sweeps()).toMatchObject([{ number: 1, state: 'planned' }]);
});

async function lastLookAt({ mint }: FeeMarket): Promise<string | null> {
  const cursors = ground.platform.db.selectFrom('poolCursors').select('feesSeen').where('mint', '=', mint);
  return (await cursors.executeTakeFirstOrThrow()).feesSeen;
}

function withoutAccounts(result: unknown): object {
  const { value, ...rest } = result as { value: unknown };
  return { ...rest, value: Array.isArray(value) ? value.map(() => null) : null };
}
