import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reportedFetch } from '../../chain/rpc/reported-fetch.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import type { StreamEvent } from '../../chain/stream/chain-stream.ts';
import { createYellowstoneStream } from '../../chain/stream/yellowstone/yellowstone-stream.ts';
import * as marketStream from '../../db/market/market-stream.ts';
import { type LaunchUnderTest, openTrader, swap, type Trader } from '../support/exchange/launched-pool.ts';
import { DoubtfulStream } from '../support/market/doubtful-stream.ts';
import { type FollowingIndex, startMarketFixture } from '../support/market/market-platform.ts';
import { quoteTokens, type Stored, storedOf } from '../support/market/stored.ts';
import { eventually } from '../support/platform/eventually.ts';

const ground = await startMarketFixture({ slotMs: 20, slotsToFinalize: 8, stream: true });
const { control } = ground.localnet;
/** A stream that lags is asked about many times within so many slots. */
const QUIET_SLOTS = 5;
/** Slots that the stream can replay. Half of them may be unsettled before RPC is asked, far more than a trade takes. */
const KEPT_SLOTS = 1_000;
/** Trades that a stalled machine may spoil before the test fails. */
const MOST_TRADES = 4;

let launch: LaunchUnderTest;
let trader: Trader;
let stored: Stored;
let stream: DoubtfulStream;
let index: FollowingIndex;
let clockIsOffBy = 0;
const asked: string[] = [];

const final = () => ground.connection.getSlot('finalized');
const tip = () => index.meter()?.slot ?? -1;
const heads = () => asked.filter((method) => method === 'getEpochInfo').length;

const untilAsked = () =>
  eventually(() => Promise.resolve(heads() > 0 || null), 'a question how far the chain is final');
const untilToldOf = (slot: number) => eventually(() => Promise.resolve(tip() >= slot || null), `slot ${slot}`);

/** Begins to follow a stream of its own, and notes what is asked of RPC. */
function follow(first: DoubtfulStream['first'] = null): void {
  const fetch = reportedFetch(globalThis.fetch, ({ method }) => asked.push(method));
  const rpc = createRpc({ endpoints: [ground.localnet.rpcUrl], fetch });
  stream = new DoubtfulStream(createYellowstoneStream({ url: ground.localnet.streamUrl! }));
  stream.first = first;
  index = ground.follow({ rpc, stream, now: () => new Date(ground.now() + clockIsOffBy) });
}

/** Waits until RPC was not asked for `slots` slots. It is asked while a stalled machine lets the stream lag. */
async function untilQuiet(slots = QUIET_SLOTS): Promise<void> {
  await untilToldOf(0);
  do {
    asked.length = 0;
    await untilToldOf(tip() + slots);
  } while (asked.length > 0);
}

/** Trades, and waits until that is settled and noted. */
async function settleATrade(): Promise<void> {
  const { slot } = (await swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(5n) })).response;
  const isFinal = async () => (await stored.swaps()).some((row) => row.slot === BigInt(slot) && row.finalized);
  await eventually(async () => (await isFinal()) || null, 'a final swap');
  await stored.expectCounted();
  // Noted by the next round, for which nobody is asked.
  await eventually(async () => ((await marketStream.followedSlot(ground.db)) ?? 0) >= slot || null, 'the slot noted');
}

beforeAll(async () => {
  launch = await ground.launch();
  stored = storedOf(ground, launch);
  trader = await openTrader(launch);
  const looking = ground.follow();
  await stored.settle(looking);
  await looking.stop();
  control.advanceSlots(KEPT_SLOTS);
  control.setSlotMs(400);
});
beforeEach(() => {
  clockIsOffBy = 0;
  follow();
});
afterEach(() => index.stop());
afterAll(() => ground.close());

it('asks RPC for nothing while the stream shows by itself that it does not lag, and settles a trade as ever', async () => {
  // RPC is rightly asked while a stalled machine lets the stream lag: such a trade proves nothing.
  for (let trade = 0; trade < MOST_TRADES; trade++) {
    await untilQuiet();
    await settleATrade();
    if (heads() === 0) break;
  }
  expect(new Set(asked)).toEqual(new Set(['getMultipleAccounts']));
});

describe('it asks how far the chain is final where', () => {
  const withTime = (over: (time: number) => number | null) => (event: StreamEvent) =>
    event.kind === 'block' && event.blockTime !== null ? { ...event, blockTime: over(event.blockTime) } : event;

  it.each([
    ['have no times', () => null],
    ['are minutes old', (time: number) => time - 300],
    ['are of a time to come', (time: number) => time + 300],
  ])('the stream’s blocks %s', async (_, over) => {
    await untilQuiet();
    stream.twist = withTime(over);
    await untilAsked();
  });

  it.each([-300_000, 300_000])('the machine’s clock is off by %i ms', async (ms) => {
    await untilQuiet();
    clockIsOffBy = ms;
    await untilAsked();
  });

  it('the stream tells of a final slot to come', async () => {
    await untilQuiet();
    stream.invent({ kind: 'slot', slot: (await final()) + 200, status: 'finalized' });
    await untilAsked();
  });

  it('the stream tells nothing any more', async () => {
    await untilQuiet();
    stream.keep();
    await untilAsked();
  });

  it('the chain’s slots are quicker than any clock says', async () => {
    await untilQuiet();
    control.setSlotMs(40);
    await untilAsked();
    control.setSlotMs(400);
  });

  it('a server could soon not tell any more of what is not settled', async () => {
    await index.stop();
    follow(async () => (await final()) - 24);
    await untilToldOf(await ground.connection.getSlot('confirmed'));
    const from = tip();
    await eventually(async () => ((await marketStream.followedSlot(ground.db)) ?? 0) >= from || null, 'more settled');
  });
});

it('believes a stream no more of slots to come for having asked RPC nothing', async () => {
  await untilQuiet(2 * QUIET_SLOTS);
  const since = tip();
  stream.invent({ kind: 'block', slot: (await final()) + 700, parent: 1, blockTime: null });
  await eventually(
    () => Promise.resolve(ground.log.text().includes('slots that are not there yet') || null),
    'a stream that is not believed',
  );
  expect(tip()).toBeLessThan(since + 100);
});
