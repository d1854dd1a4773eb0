import { sql } from 'kysely';
import { followMarket } from '../../activities/market/stream/follow-market.ts';
import type { StreamMeter } from '../../activities/market/deps.ts';
import { createExchange } from '../../chain/exchange/create-exchange.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { connectThrough, createPool } from '../../db/connect.ts';
import { indexDeps } from '../../test/support/market/market-platform.ts';
import { captureLog } from '../../test/support/platform/captured-log.ts';
import { createTally, totalOf } from '../calls/tally.ts';
import { openSeeded } from '../reads/seeded.ts';
import { MadeUpChain } from './made-up-chain.ts';
import { SETTINGS } from './settings.ts';

/** What an index asks while nobody trades. */
export interface IdleIndex {
  readonly pools: number;
  readonly seconds: number;
  readonly rpc: number;
  /** A second. */
  readonly sql: number;
  /** Until it listens, s. */
  readonly begins: number;
}

const SECONDS = 30;

/** An index that follows so many pools of which none is traded. */
export async function measureIdle(databaseUrl: string, pools: number): Promise<IdleIndex> {
  const seeded = await openSeeded(databaseUrl, { tokens: pools, swaps: 0 });
  await sql`update pool_cursors set base_vault = 'b' || pool, quote_vault = 'q' || pool, changed_slot = null`.execute(
    seeded,
  );
  await sql`insert into market_stream (followed_slot) values (900)`.execute(seeded);
  await sql`vacuum analyze`.execute(seeded);
  await seeded.destroy();
  const tally = createTally();
  const pool = createPool(databaseUrl, { applicationName: 'slipway-bench', maxConnections: 10 });
  tally.watch(pool);
  const db = connectThrough(pool);
  const chain = new MadeUpChain([], 0);
  const rpc = createRpc({ endpoints: [await chain.listen()], fetch: tally.fetch });
  const exchange = createExchange({ kind: 'local', seed: new Uint8Array(32) }, rpc.connection, 'none');
  const end = new AbortController();
  const listening = Promise.withResolvers<StreamMeter>();
  const parts = { db, rpc, exchange, now: () => new Date(), settings: SETTINGS };
  const deps = { ...indexDeps(captureLog(), parts, { streamed: listening.resolve }), cancellation: () => end.signal };
  const begun = performance.now();
  const following = tally.within('index', () => followMarket(deps, chain.stream));
  await Promise.race([listening.promise, following]);
  const begins = (performance.now() - begun) / 1_000;
  tally.take();
  await chain.run(SECONDS, 0);
  const counted = tally.take();
  end.abort();
  await following;
  await db.destroy();
  await chain.close();
  return { pools, seconds: SECONDS, rpc: totalOf(counted.rpc), sql: totalOf(counted.sql) / SECONDS, begins };
}
