import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { pollMarket } from '../../activities/market/poll/poll-market.ts';
import { PushedPools } from '../../activities/market/poll/pushed-pools.ts';
import type { MarketDeps } from '../../activities/market/deps.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { type LaunchUnderTest, openTrader, swap } from '../support/exchange/launched-pool.ts';
import { indexDeps, SMALL_SETTINGS, startMarketFixture } from '../support/market/market-platform.ts';
import { storedOf } from '../support/market/stored.ts';
import { eventually } from '../support/platform/eventually.ts';

const HOUR_MS = 3_600_000;

const ground = await startMarketFixture();
afterAll(() => ground.close());

let stop = new AbortController();
afterEach(() => {
  stop.abort();
  stop = new AbortController();
});

const parts = () => ({
  db: ground.db,
  rpc: ground.rpc(''),
  exchange: ground.exchange,
  now: () => new Date(ground.now()),
  settings: SMALL_SETTINGS,
});
const depsOf = (over: Partial<MarketDeps>): MarketDeps => ({ ...indexDeps(ground.log, parts(), {}), ...over });
const buy = async (launch: LaunchUnderTest) =>
  swap(launch, await openTrader(launch), { side: 'buy', exact: 'in', amount: 5_000_000n });
const stored = (launch: LaunchUnderTest, count: number) =>
  eventually(async () => (await storedOf(ground, launch).swaps()).length >= count || null, `${count} stored swaps`);

describe('the index that polls', () => {
  it('stores a swap without a push', async () => {
    const launch = await ground.launch();
    const polling = pollMarket(depsOf({}), stop.signal);
    await buy(launch);
    await stored(launch, 1);
    stop.abort();
    await polling;
  });

  it('polls a pushed pool at once', async () => {
    const launch = await ground.launch();
    const pushing = Promise.withResolvers<(pool: string) => void>();
    const firstPoll = Promise.withResolvers<void>();
    const deps = depsOf({ settings: { ...SMALL_SETTINGS, everyMs: HOUR_MS } });
    const meters = { ...deps.meters, polled: () => firstPoll.resolve() };
    const listen: MarketDeps['listen'] = (onChange) => {
      pushing.resolve(onChange);
      return Promise.resolve();
    };
    const polling = pollMarket({ ...deps, meters, listen }, stop.signal);
    const push = await pushing.promise;
    await firstPoll.promise;
    await buy(launch);
    // The push says nothing of the state of an endpoint, which may lag behind it.
    const pushes = setInterval(() => push(launch.pool.toBase58()), 200);
    await stored(launch, 1).finally(() => clearInterval(pushes));
    stop.abort();
    await polling;
  });

  it('goes on after polls that failed', async () => {
    const launch = await ground.launch();
    const failed = Promise.withResolvers<void>();
    let isAway = true;
    const rpc = createRpc({
      endpoints: [ground.localnet.rpcUrl],
      fetch: (input, init) => {
        if (!isAway) return fetch(input, init);
        failed.resolve();
        return Promise.reject(new TypeError('fetch failed'));
      },
    });
    const polling = pollMarket(depsOf({ rpc }), stop.signal);
    await failed.promise;
    isAway = false;
    await buy(launch);
    await stored(launch, 1);
    stop.abort();
    await polling;
  });

  it('sends heartbeats, and ends at once when it is stopped in the pause of an hour', async () => {
    const beaten = Promise.withResolvers<void>();
    const deps = depsOf({ settings: { ...SMALL_SETTINGS, everyMs: HOUR_MS }, heartbeat: () => beaten.resolve() });
    const polling = pollMarket(deps, stop.signal);
    await beaten.promise;
    stop.abort();
    await polling;
  });
});

describe('pushed pools', () => {
  it('that follow closely are taken together, each once', async () => {
    const pushed = new PushedPools();
    const taken = pushed.take(stop.signal);
    for (const pool of ['a', 'b', 'a']) pushed.add(pool);
    expect(await taken).toEqual(['a', 'b']);
  });

  it('are taken a hundred at a time, and a thousand wait at most', async () => {
    const pushed = new PushedPools();
    for (let pool = 0; pool < 1_200; pool++) pushed.add(`pool ${pool}`);
    const counts: number[] = [];
    for (let take = 0; take < 10; take++) counts.push((await pushed.take(stop.signal)).length);
    expect(counts).toEqual(Array(10).fill(100));
    const nothing = pushed.take(stop.signal);
    stop.abort();
    expect(await nothing).toEqual([]);
  });
});
