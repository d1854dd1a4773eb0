import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, PublicKey } from '@solana/web3.js';
import { sql } from 'kysely';
import { pollNext } from '../../activities/market/poll-pools.ts';
import { createPollMemory } from '../../activities/market/poll-memory.ts';
import type { MarketDeps, StreamMeter } from '../../activities/market/deps.ts';
import { followMarket } from '../../activities/market/line/follow-market.ts';
import { raydiumAdapter } from '../../chain/exchange/raydium/raydium-adapter.ts';
import { TRADED_PART } from '../../chain/exchange/raydium/accounts/pool-state.ts';
import { fingerprint } from '../../chain/market/pool-changes.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { connectThrough, createPool, type Db } from '../../db/connect.ts';
import { indexDeps } from '../../test/support/market/market-platform.ts';
import type { MarketSource } from '../../test/support/market/sources.ts';
import { captureLog } from '../../test/support/platform/captured-log.ts';
import { createTally, type Tally, totalOf } from '../calls/tally.ts';
import { openSeeded } from '../reads/seeded.ts';
import { accountWith, FIRST_SLOT, MadeUpChain } from './made-up-chain.ts';
import { SETTINGS } from './settings.ts';

export interface IdleIndex {
  readonly source: MarketSource;
  readonly pools: number;
  readonly seconds: number;
  readonly rpc: number;
  readonly bytes: number;
  readonly cpuMs: number;
  readonly sql: number;
  readonly begins: number;
}

/** Seconds. */
const STREAM_SECONDS = 60;
const LOOK_SECONDS = 30;
/** Of a Raydium pool, and its own part. */
const POOL_BYTES = 1_544;
const OWN_BYTES = 400;

export async function measureIdle(databaseUrl: string, pools: number): Promise<IdleIndex[]> {
  await seedQuiet(databaseUrl, pools);
  const tally = createTally();
  const pool = createPool(databaseUrl, { applicationName: 'slipway-bench', maxConnections: 10 });
  tally.watch(pool);
  const db = connectThrough(pool);
  const measured = [await measureStream({ db, tally, pools }), await measureLooks({ db, tally, pools })];
  await db.destroy();
  return measured;
}

interface Fixture {
  readonly db: Db;
  readonly tally: Tally;
  readonly pools: number;
}

async function measureStream({ db, tally, pools }: Fixture): Promise<IdleIndex> {
  const chain = new MadeUpChain([], 0);
  const end = new AbortController();
  const listening = Promise.withResolvers<StreamMeter>();
  const parts = await partsOf(chain, { db, tally });
  const deps = indexDeps(captureLog(), parts, { streamed: listening.resolve });
  const begun = performance.now();
  const following = tally.within('index', () => followMarket(deps, chain.stream, end.signal));
  await Promise.race([listening.promise, following]);
  const begins = (performance.now() - begun) / 1_000;
  const counted = await count(chain, tally, () => chain.run(STREAM_SECONDS, 0));
  end.abort();
  await following;
  await chain.close();
  return { source: 'follows a stream', pools, begins, ...counted };
}

async function measureLooks({ db, tally, pools }: Fixture): Promise<IdleIndex> {
  const chain = new MadeUpChain([], 0, poolAccount);
  const deps = indexDeps(captureLog(), await partsOf(chain, { db, tally }), {});
  const memory = createPollMemory();
  const look = () =>
    tally.within('index', async () => {
      const { changed } = await pollNext(deps, memory);
      if (changed > 0) throw new Error(`${changed} pools look changed without a trade`);
    });
  const counted = await count(chain, tally, async () => {
    for (const until = performance.now() + LOOK_SECONDS * 1_000; performance.now() < until;) {
      await look();
      await sleep(SETTINGS.everyMs);
    }
  });
  await chain.close();
  return { source: 'looks at pools', pools, begins: 0, ...counted };
}

async function partsOf(chain: MadeUpChain, { db, tally }: Pick<Fixture, 'db' | 'tally'>) {
  const rpc = createRpc({ endpoints: [await chain.listen()], fetch: tally.fetch });
  const exchange = raydiumAdapter('').open(rpc.connection, 'none');
  return { db, rpc, exchange, now: () => new Date(), settings: SETTINGS } satisfies Partial<MarketDeps>;
}

async function count(chain: MadeUpChain, tally: Tally, work: () => Promise<void>) {
  tally.take();
  const [bytes, cpu, begun] = [chain.bytes, process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const counted = tally.take();
  return {
    seconds: (performance.now() - begun) / 1_000,
    rpc: totalOf(counted.rpc),
    sql: totalOf(counted.sql),
    bytes: chain.bytes - bytes,
    cpuMs: (user + system) / 1_000,
  };
}

async function seedQuiet(databaseUrl: string, count: number): Promise<void> {
  const db = await openSeeded(databaseUrl, { tokens: count, swaps: 0 });
  const { rows } = await sql<{ pool: string }>`select pool from pool_cursors`.execute(db);
  const addresses = rows.map((_, index) => addressOf(index));
  const seen = addresses.map((address) => fingerprint(accountWith(poolAccount(address)), TRADED_PART));
  await sql`update pool_cursors as cursor set pool = given.address, seen = given.seen, base_vault = 'b' || given.address,
      quote_vault = 'q' || given.address, changed_slot = null, updated_at = now() - interval '1 day'
    from unnest(${rows.map(({ pool }) => pool)}::text[], ${addresses}::text[], ${seen}::text[]) as given (pool, address, seen)
    where cursor.pool = given.pool`.execute(db);
  await sql`insert into market_stream (followed_slot) values (${FIRST_SLOT - 100})`.execute(db);
  await sql`vacuum analyze`.execute(db);
  await db.destroy();
}

const SALT = Keypair.generate().publicKey.toBytes();

function addressOf(index: number): string {
  const hash = createHash('sha256').update(SALT).update(String(index)).digest();
  return new PublicKey(hash).toBase58();
}

function poolAccount(address: string): Buffer {
  const data = Buffer.alloc(POOL_BYTES);
  createHash('shake256', { outputLength: OWN_BYTES }).update(address).digest().copy(data);
  return data;
}
