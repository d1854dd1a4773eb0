import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createPollMemory } from '../../activities/market/poll-memory.ts';
import { settleInTime } from '../../activities/market/settle-round.ts';
import { FINAL_STANDS_PER_CALL } from '../../chain/market/final-stands.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import { type LaunchUnderTest, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { indexDeps, type MarketIndex, startMarketFixture } from '../support/market/market-platform.ts';
import { overheardLaunch } from '../support/market/overheard-launch.ts';
import { FAILED, listing, type OverheardRpc, overhearRpc, type Twist } from '../support/market/overheard-rpc.ts';
import type { Stored } from '../support/market/stored.ts';
import { deleteSwaps } from '../support/market/swap-rows.ts';

// What is final is settled in rounds, a page of pools after the other; whatever an endpoint says of one, the others go on.

const ground = await startMarketFixture({ slotMs: 60 });
afterAll(() => ground.close());

let launch: LaunchUnderTest;
let trader: Trader;
let stored: Stored;
let index: MarketIndex;
let heard: OverheardRpc;

beforeEach(async () => {
  ground.localnet.control.setSlotMs(60);
  ({ launch, trader, stored, index, heard } = await overheardLaunch(ground));
});

const buy = () => swap(launch, trader, { side: 'buy', exact: 'out', amount: 10n ** 13n });

const ofFinalVaults =
  (change: Twist): Twist =>
  (call, text) =>
    call.method === 'getMultipleAccounts' && JSON.stringify(call.params).includes('finalized')
      ? change(call, text)
      : text;

describe('a pool', () => {
  it('is settled also where its history was listed with a slot that is not there', async () => {
    await buy();
    heard.twist(listing((entries) => entries.map((entry) => ({ ...entry, slot: entry.slot + 1_000_000_000 }))));
    expect(await index.lookAtMarket()).toMatchObject({ stored: 1 });
    heard.twist();
    await stored.settle(index);
    await stored.expectCounted();
  });

  it('that is not settled lags, also where no round has come to an end yet', async () => {
    await buy();
    const restarted = ground.index({ rpc: heard.rpc });
    heard.twist(ofFinalVaults(() => FAILED));
    await restarted.lookAtMarket();
    const before = restarted.state()!.lagSlots;
    ground.finalize();
    expect(await restarted.lookAtMarket()).toMatchObject({ failed: 1 });
    expect(restarted.state()!.lagSlots).toBeGreaterThan(before);
    heard.twist();
    await stored.settle(index);
    await index.lookAtMarket();
    expect(index.state()).toEqual({ lagSlots: 0, gaps: 0 });
  });

  it('whose history cannot be listed has no figures computed for that', async () => {
    await ground.db
      .updateTable('poolCursors')
      .set({ quoteRaw: null })
      .where('pool', '=', launch.pool.toBase58())
      .execute();
    await buy();
    await index.lookAtMarket();
    // Of swaps that are stored figures were computed before.
    await deleteSwaps(ground.db, launch.request.base.mint.toBase58());
    ground.finalize();
    heard.forget();
    heard.twist(({ method }, text) => (method === 'getSignaturesForAddress' ? FAILED : text));
    expect(await index.lookAtMarket()).toMatchObject({ failed: 1 });
    expect(heard.countOf('getMultipleAccounts')).toBe(2);
    heard.twist();
    await stored.settle(index);
    await stored.expectCounted();
  });
});

describe('endpoints that are some slots apart', () => {
  it('have no history listed anew for each slot between them', async () => {
    const { control, rpcUrl } = ground.localnet;
    heard = overhearRpc(rpcUrl, `${rpcUrl}/rpc/b`);
    index = ground.index({ rpc: heard.rpc });
    await buy();
    await buy();
    // Time stands still but for what the test lets pass.
    control.setSlotMs(60_000);
    control.lag(10, 'b');
    try {
      expect(await index.lookAtMarket()).toMatchObject({ stored: 2 });
      heard.forget();
      for (let slots = 0; slots < 48; slots++) {
        control.advanceSlots(1);
        await index.lookAtMarket();
      }
      // One that answers too late on a busy machine costs a listing; each slot between them would.
      expect(heard.countOf('getSignaturesForAddress')).toBeLessThan(3);
      await stored.expectCounted();
    } finally {
      control.lag(0, 'b');
    }
  });
});

describe('a round of many pools', () => {
  const others = Array.from({ length: FINAL_STANDS_PER_CALL }, (_, number) => `none-${number}`);
  const settleWithOthers = async (heartbeat: () => void = () => undefined) => {
    const { db, exchange, log, now } = ground;
    const parts = { db, exchange, rpc: heard.rpc, now: () => new Date(now()) };
    const settings = { settleEveryMs: 0 };
    const deps = { ...indexDeps(log, { ...parts, settings }, {}), heartbeat };
    const cursor = await stored.cursor();
    const changed = [...others.map((pool) => ({ ...cursor, pool })), cursor];
    return settleInTime(deps, changed, await ground.connection.getSlot('confirmed'), createPollMemory());
  };

  it('settles the others where a page of them cannot be read', async () => {
    await buy();
    await index.lookAtMarket();
    ground.finalize();
    const mint = launch.request.base.mint.toBase58();
    heard.twist(ofFinalVaults(({ params }, text) => (JSON.stringify(params).includes(mint) ? text : FAILED)));
    expect(await settleWithOthers()).toMatchObject({ failed: others.length });
    await stored.expectCounted();
  });

  it('gives a sign of life for each page', async () => {
    await buy();
    await index.lookAtMarket();
    ground.finalize();
    let beats = 0;
    await settleWithOthers(() => void beats++);
    // The pool whose history is listed gives one too.
    expect(beats).toBe(3);
  });

  it('reads cursors of more pools than a statement has parameters', async () => {
    const pools = Array.from({ length: 66_000 }, (_, number) => `pool-${number}`);
    const pool = launch.pool.toBase58();
    expect(await poolCursors.byPools(ground.db, [...pools, pool])).toMatchObject([{ pool }]);
    expect(await poolCursors.changed(ground.db, pools)).toEqual([]);
    expect(await poolCursors.hashes(ground.db, [...pools, pool])).toMatchObject([{ pool }]);
  });
});
