import { setTimeout as sleep } from 'node:timers/promises';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { connectThrough, createPool } from '../../db/connect.ts';
import { openTrader, swap } from '../../test/support/exchange/launched-pool.ts';
import { standInExchangeOn } from '../../test/support/exchange/stand-in.ts';
import { type MarketFixture, startMarketFixture } from '../../test/support/market/market-platform.ts';
import { indexBy, type MarketSource } from '../../test/support/market/sources.ts';
import { storedOf } from '../../test/support/market/stored.ts';
import { createTally, totalOf } from '../calls/tally.ts';
import { SETTINGS } from './settings.ts';

export interface SwapCalls {
  readonly source: MarketSource;
  readonly perSecond: number;
  readonly swaps: number;
  readonly rpc: number;
  readonly sql: number;
  readonly methods: Readonly<Record<string, number>>;
  readonly statements: Readonly<Record<string, number>>;
}

const POOLS = 8;
/** 31 slots, plus settlement. */
export const UNTIL_SETTLED_MS = 22_000;

export async function measureSwapCalls(
  databaseUrl: string,
  source: MarketSource,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<SwapCalls> {
  const ground = await startMarketFixture({ slotMs: 20, stream: true, databaseUrl });
  const tally = createTally();
  const pool = createPool(databaseUrl, { applicationName: 'slipway-bench', maxConnections: 10 });
  tally.watch(pool);
  const db = connectThrough(pool);
  const rpc = createRpc({ endpoints: [ground.localnet.rpcUrl], fetch: tally.fetch });
  const exchange = standInExchangeOn(ground.localnet, { connection: rpc.connection });
  const traders = await openTraders(ground);
  const over = { db, rpc, exchange, settings: SETTINGS };
  let isOver = false;
  const index = tally.within('index', async () => Promise.resolve(indexBy(ground, source, over)));
  const looking = tally.within('index', async () => {
    if (source === 'follows a stream') return;
    while (!isOver) {
      await (await index).lookAtMarket();
      await sleep(SETTINGS.everyMs);
    }
  });
  if (source === 'follows a stream') await (await index).lookAtMarket();
  else await sleep(2 * SETTINGS.everyMs);
  ground.localnet.control.setSlotMs(400);
  await sleep(UNTIL_SETTLED_MS);
  tally.take();
  const swaps = await tradeFor(traders, perSecond, seconds);
  await sleep(UNTIL_SETTLED_MS);
  const counted = tally.take();
  for (const { launch } of traders) await storedOf(ground, launch).expectCounted();
  isOver = true;
  await looking;
  await (await index).stop();
  await db.destroy();
  await ground.close();
  const each = { rpc: totalOf(counted.rpc) / swaps, sql: totalOf(counted.sql) / swaps };
  const kinds = { methods: Object.fromEntries(counted.rpc), statements: Object.fromEntries(counted.sql) };
  return { source, perSecond, swaps, ...each, ...kinds };
}

export async function openTraders(ground: MarketFixture) {
  const traders = [];
  for (let pool = 0; pool < POOLS; pool++) {
    const launch = await ground.launch();
    traders.push({ launch, trader: await openTrader(launch) });
  }
  return traders;
}

export async function tradeFor(
  traders: Awaited<ReturnType<typeof openTraders>>,
  perSecond: number,
  seconds: number,
): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let swaps = 0;
  const lanes = traders.map(async ({ launch, trader }, lane) => {
    await sleep((lane * 1_000) / perSecond);
    for (let at = performance.now(); at < until;) {
      await swap(launch, trader, { side: 'buy', exact: 'in', amount: 1_000_000n + BigInt(swaps) });
      swaps++;
      at += (traders.length * 1_000) / perSecond;
      await sleep(Math.max(0, at - performance.now()));
      at = performance.now();
    }
  });
  await Promise.all(lanes);
  return swaps;
}
