import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type LaunchUnderTest, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { type MarketIndex, startMarketFixture } from '../support/market/market-platform.ts';
import { overheardLaunch } from '../support/market/overheard-launch.ts';
import { FAILED, type OverheardRpc, type Twist } from '../support/market/overheard-rpc.ts';
import type { Stored } from '../support/market/stored.ts';
import { insertSwaps } from '../support/market/swap-rows.ts';

// Whatever looks stored is final in the end, or gone; until then its pool is not taken for settled.

const ground = await startMarketFixture({ slotMs: 60 });
const { control } = ground.localnet;
afterAll(() => ground.close());

let launch: LaunchUnderTest;
let trader: Trader;
let stored: Stored;
let index: MarketIndex;
let heard: OverheardRpc;

beforeEach(async () => {
  ({ launch, trader, stored, index, heard } = await overheardLaunch(ground));
});

const buy = () => swap(launch, trader, { side: 'buy', exact: 'out', amount: 10n ** 13n });
const settleNow = async (): Promise<void> => {
  ground.finalize();
  await index.lookAtMarket();
};

/** The first answer that tells how accounts of pools look is given again. */
const showingAsFirst = (): Twist => {
  let shown: string | undefined;
  return ({ method, params }, text) => {
    const isLook = method === 'getMultipleAccounts' && JSON.stringify(params).includes('dataSlice');
    return isLook ? (shown ??= text) : text;
  };
};

describe('a swap', () => {
  it('of a slot that is not there, which nobody knows, is withdrawn once the others are final', async () => {
    await buy();
    await index.lookAtMarket();
    const [{ slot } = expect.fail()] = await stored.swaps();
    const invented = { slot: slot + 1_000_000_000n, finalized: false };
    await insertSwaps(ground.db, launch.request.base.mint.toBase58(), [invented]);
    await settleNow();
    await settleNow();
    await stored.expectCounted();
    expect(await stored.cursor()).toMatchObject({ changedSlot: null });
  });

  it('that its pool did not show yet is withdrawn where a fork takes it and the others are final', async () => {
    const asFirst = showingAsFirst();
    await buy();
    control.advanceSlots(3);
    heard.twist((call, text) => (call.method === 'getSignaturesForAddress' ? FAILED : asFirst(call, text)));
    expect(await index.lookAtMarket()).toMatchObject({ failed: 1 });
    const { changedSlot } = await stored.cursor();
    control.advanceSlots(3);
    await buy();
    heard.twist(asFirst);
    expect(await index.lookAtMarket()).toMatchObject({ stored: 2 });
    control.skipSlot({ reland: [] });
    heard.twist();
    // Time stands still but for what the test lets pass.
    control.setSlotMs(60_000);
    try {
      while ((await ground.connection.getSlot('finalized')) < Number(changedSlot)) control.advanceSlots(1);
      await index.lookAtMarket();
      expect((await stored.swaps()).at(0)).toMatchObject({ finalized: true });
    } finally {
      control.setSlotMs(60);
    }
    await settleNow();
    await stored.expectCounted();
    expect(await stored.cursor()).toMatchObject({ changedSlot: null });
  });

  it('of a pool that an endpoint denies is waited for, and final once it is shown again', async () => {
    const readPools = (pools: readonly unknown[]) => Promise.resolve(pools.map(() => null));
    const denied = ground.index({ rpc: heard.rpc, exchange: { ...ground.exchange, readPools } });
    await buy();
    await index.lookAtMarket();
    heard.twist(({ method, params }, text) =>
      method === 'getMultipleAccounts' && JSON.stringify(params).includes(launch.pool.toBase58())
        ? text.replace(
            /"value":\[.*\]/,
            `"value":[${[params[0]]
              .flat()
              .map(() => 'null')
              .join()}]`,
          )
        : text,
    );
    await denied.lookAtMarket();
    for (let times = 0; times < 2; times++) {
      ground.finalize();
      await denied.lookAtMarket();
    }
    expect(await stored.swaps()).toMatchObject([{ finalized: false }]);
    expect(denied.state()!.lagSlots).toBeGreaterThan(0);
    heard.twist();
    await stored.settle(index);
    await stored.expectCounted();
  });
});
