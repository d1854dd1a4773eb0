import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFeeSweepActivities } from '../../activities/fee-sweep/activities.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { type FeeFixture, type FeeMarket, startFeeFixture } from '../support/fee-sweep/fee-sweep-platform.ts';
import { ACCOUNT_READS, emptied, standingStill, startLiar } from '../support/rpc/scripted-node.ts';

let ground: FeeFixture;
let market: FeeMarket;
beforeAll(async () => {
  ground = await startFeeFixture();
  market = await ground.open({ mode: 'standard', feeTier: '1%' });
  await ground.run();
});
afterAll(() => ground.close());

it('fees that a preferred endpoint of three hides are collected, also where nobody trades any more', async () => {
  const { rpcUrl } = ground.platform.chain;
  await using liar = await startLiar(rpcUrl, standingStill(ACCOUNT_READS));
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
  await using old = await startLiar(rpcUrl, standingStill(ACCOUNT_READS));
  await using behind = await startLiar(rpcUrl, async (method, result) => {
    if (!ACCOUNT_READS.includes(method)) return result;
    // The other one has answered by then.
    await setTimeout(200);
    return emptied(result);
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
  // The next plan looks again, without a new trade.
  expect(await lastLookAt(quiet)).toBe(before);
  await ground.activities.planFeeSweeps('');
  expect(await quiet.sweeps()).toMatchObject([{ number: 1, state: 'planned' }]);
});

async function lastLookAt({ mint }: FeeMarket): Promise<string | null> {
  const cursors = ground.platform.db.selectFrom('poolCursors').select('feesSeen').where('mint', '=', mint);
  return (await cursors.executeTakeFirstOrThrow()).feesSeen;
}
