import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { reportedFetch } from '../../chain/rpc/reported-fetch.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { createYellowstoneStream } from '../../chain/stream/yellowstone/yellowstone-stream.ts';
import * as marketStream from '../../db/market/market-stream.ts';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { DoubtfulStream, MUTE_STREAM } from '../support/market/doubtful-stream.ts';
import { type FollowingIndex, type IndexParts, startMarketFixture } from '../support/market/market-platform.ts';
import { type Stored, storedOf } from '../support/market/stored.ts';
import { eventually } from '../support/platform/eventually.ts';

const ground = await startMarketFixture({ slotMs: 40, stream: true });
const { control } = ground.localnet;
const AMOUNT = 10n ** 13n;

let launch: LaunchUnderTest;
let trader: Trader;
let stored: Stored;
let index: FollowingIndex | null = null;

beforeEach(async () => {
  control.stream.clear();
  launch = await ground.launch();
  stored = storedOf(ground, launch);
  trader = await openTrader(launch);
});
afterEach(async () => {
  await index?.stop();
  index = null;
});
afterAll(() => ground.close());

const follow = (over?: Partial<IndexParts>): FollowingIndex => (index = ground.follow(over));
const buy = () => swap(launch, trader, { side: 'buy', exact: 'out', amount: AMOUNT });
const sell = () => swap(launch, trader, { side: 'sell', exact: 'in', amount: AMOUNT });

/** Leaves the vault of the token as it was. */
async function goRound(): Promise<number> {
  await buy();
  return (await sell()).response.slot;
}

/** The same while there is no stream, which tells of it never after. */
async function goRoundUnheard(): Promise<number> {
  control.stream.cut();
  const slot = await goRound();
  ground.finalize();
  control.stream.clear();
  control.stream.replayFrom = slot + 20;
  return slot;
}

const untilFinal = (count: number) =>
  eventually(async () => {
    const final = (await stored.swaps()).filter(({ finalized }) => finalized);
    return final.length >= count || null;
  }, `${count} final swaps`);

it('settles nothing beyond what the stream has told of', async () => {
  const calls: string[] = [];
  const rpc = createRpc({
    endpoints: [ground.localnet.rpcUrl],
    fetch: reportedFetch(globalThis.fetch, ({ method }) => calls.push(method)),
  });
  const vaultsRead = (): number => calls.filter((method) => method === 'getMultipleAccounts').length;
  const stream = new DoubtfulStream(createYellowstoneStream({ url: ground.localnet.streamUrl! }));
  await stored.settle(follow({ stream, rpc }));
  stream.keep();
  const { slot } = (await buy()).response;
  const last = await goRound();
  ground.finalize();
  await eventually(() => Promise.resolve(stream.keeps(last) || null), 'the last swap');
  const before = vaultsRead();
  stream.releaseUpTo(slot);
  const isSettled = async () => (await stored.cursor()).finalizedSlot >= BigInt(last);
  await eventually(async () => vaultsRead() >= before + 4 || (await isSettled()) || null, 'vaults that were read');
  stream.release();
  await stored.settle(index!);
  await stored.expectCounted();
  expect(await stored.swaps()).toHaveLength(3);
});

it('stores what it is told of while RPC does not answer how far the chain is final', async () => {
  let gate = Promise.resolve();
  const rpc = createRpc({
    endpoints: [ground.localnet.rpcUrl],
    fetch: async (...asked) => {
      await gate;
      return fetch(...asked);
    },
  });
  await stored.settle(follow({ rpc }));
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  await buy();
  await eventually(async () => (await stored.swaps()).length === 1 || null, 'the first swap');
  await buy();
  await eventually(async () => (await stored.swaps()).length === 2 || null, 'the second swap');
  resolve();
  await stored.settle(index!);
  await stored.expectCounted();
});

it('finds what left a vault as it was while there was no stream', async () => {
  await stored.settle(follow());
  await goRoundUnheard();
  await untilFinal(2);
  await stored.settle(index!);
  await stored.expectCounted();
});

it('finds it as well where the pool is traded as soon as there is a stream again', async () => {
  await stored.settle(follow());
  const slot = await goRoundUnheard();
  await eventually(() => Promise.resolve((index!.meter()?.slot ?? 0) > slot || null), 'the stream');
  await buy();
  await untilFinal(3);
  await stored.settle(index!);
  await stored.expectCounted();
});

it('finds every swap by comparison where a stream is open and tells nothing', async () => {
  follow({ stream: MUTE_STREAM, settings: { compareEveryMs: 300 } });
  await eventually(async () => ((await stored.cursor()).baseVault === null ? null : true), 'the pool');
  await buy();
  ground.finalize();
  await untilFinal(1);
  const slot = await goRound();
  ground.finalize();
  await untilFinal(3);
  await stored.expectCounted();
  await eventually(() => Promise.resolve((index!.meter()?.settledSlot ?? 0) >= slot || null), 'everything settled');
  expect(index!.meter()).toMatchObject({ isConnected: false });
});

it('notes nothing as followed that is not final by RPC', async () => {
  const stream = new DoubtfulStream(createYellowstoneStream({ url: ground.localnet.streamUrl! }));
  await stored.settle(follow({ stream }));
  for (const ahead of [300, 1_000_000_000]) {
    const slot = (await ground.connection.getSlot('finalized')) + ahead;
    stream.invent({ kind: 'slot', slot, status: 'finalized' });
    await buy();
    await stored.settle(index!);
    await stored.expectCounted();
    expect(await marketStream.followedSlot(ground.db)).toBeLessThanOrEqual(
      await ground.connection.getSlot('finalized'),
    );
  }
});

it('begins anew where it is noted as followed beyond finality', async () => {
  await stored.settle(follow());
  await index!.stop();
  await buy();
  ground.finalize();
  await marketStream.noteFollowed(ground.db, 1_000_000_000);
  follow();
  await untilFinal(1);
  await stored.settle(index!);
  await stored.expectCounted();
  expect(await marketStream.followedSlot(ground.db)).toBeLessThanOrEqual(await ground.connection.getSlot('finalized'));
});
