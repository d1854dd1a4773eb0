import { setTimeout as sleep } from 'node:timers/promises';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { connectThrough, createPool } from '../../db/connect.ts';
import { standInExchangeOn } from '../../test/support/exchange/stand-in.ts';
import { startMarketFixture } from '../../test/support/market/market-platform.ts';
import { storedOf } from '../../test/support/market/stored.ts';
import { createTally } from '../calls/tally.ts';
import { SETTINGS } from './settings.ts';
import { openTraders, tradeFor, UNTIL_SETTLED_MS } from './swap-calls.ts';

export interface DoubtedIndex {
  readonly swaps: number;
  readonly missed: number;
  readonly rpc: number;
  readonly forks: number;
  readonly cuts: number;
}

const PER_SECOND = 4;
const DOUBTS = ['getTransaction', 'getSignaturesForAddress', 'getBlockTime'];

/** Stored swaps must equal an independent count. */
export async function measureDoubts(databaseUrl: string): Promise<DoubtedIndex> {
  const ground = await startMarketFixture({ slotMs: 20, stream: true, databaseUrl });
  const { control } = ground.localnet;
  const tally = createTally();
  const pool = createPool(databaseUrl, { applicationName: 'slipway-bench', maxConnections: 10 });
  tally.watch(pool);
  const db = connectThrough(pool);
  const rpc = createRpc({ endpoints: [ground.localnet.rpcUrl], fetch: tally.fetch });
  const exchange = standInExchangeOn(ground.localnet, { connection: rpc.connection });
  const traders = await openTraders(ground);
  const index = await tally.within('index', async () =>
    Promise.resolve(ground.follow({ db, rpc, exchange, settings: SETTINGS })),
  );
  await index.lookAtMarket();
  control.setSlotMs(400);
  await sleep(UNTIL_SETTLED_MS);
  tally.take();
  const before = index.filled();
  const trade = (seconds: number) => tradeFor(traders, PER_SECOND, seconds);
  let [swaps, forks, cuts] = [0, 0, 0];
  for (let round = 0; round < 10; round++) {
    control.stream.drop('transaction', 3);
    // In every second round only the next swap reveals the lost.
    if (round % 2 === 1) control.stream.drop('account', 6);
    swaps += await trade(3);
    control.stream.clear();
    swaps += await trade(1);
    if (round % 3 === 2) {
      control.skipSlot();
      forks++;
    }
    if (round === 4 || round === 8) {
      control.stream.cut();
      swaps += await trade(2);
      control.stream.clear();
      cuts++;
    }
  }
  await sleep(UNTIL_SETTLED_MS);
  const counted = tally.take();
  for (const { launch } of traders) await storedOf(ground, launch).expectCounted();
  const missed = index.filled() - before;
  await index.stop();
  await db.destroy();
  await ground.close();
  const calls = DOUBTS.reduce((sum, method) => sum + (counted.rpc.get(method) ?? 0), 0);
  return { swaps, missed, rpc: calls, forks, cuts };
}
