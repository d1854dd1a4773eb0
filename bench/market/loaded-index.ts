import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { sql } from 'kysely';
import { followMarket } from '../../activities/market/line/follow-market.ts';
import type { StreamMeter } from '../../activities/market/deps.ts';
import { standInAdapter } from '../../dev/stand-in/stand-in-adapter.ts';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { connectThrough, createPool, type Db } from '../../db/connect.ts';
import * as prices from '../../db/prices/prices.ts';
import { indexDeps } from '../../test/support/market/market-platform.ts';
import { captureLog } from '../../test/support/platform/captured-log.ts';
import { createTally, totalOf } from '../calls/tally.ts';
import { openSeeded } from '../reads/seeded.ts';
import { quantile } from '../statistics.ts';
import { MadeUpChain, type MadeUpPool } from './made-up-chain.ts';
import { SETTINGS } from './settings.ts';

export interface LoadedIndex {
  readonly pools: number;
  readonly swaps: number;
  readonly seconds: number;
  readonly backlog: number;
  readonly emptyAfter: number;
  readonly finalAfter: number;
  readonly p50: number;
  readonly p95: number;
  readonly rpc: number;
  readonly sql: number;
}

const LOOK_EVERY_MS = 100;

export async function measureLoad(
  databaseUrl: string,
  load: { readonly pools: number; readonly perSecond: number; readonly seconds: number; readonly roundTripMs: number },
): Promise<LoadedIndex> {
  const pools = await openPools(databaseUrl, load.pools);
  const tally = createTally();
  const pool = createPool(databaseUrl, { applicationName: 'slipway-bench', maxConnections: 10 });
  tally.watch(pool);
  const db = connectThrough(pool);
  const chain = new MadeUpChain(pools, load.roundTripMs);
  const rpc = createRpc({ endpoints: [await chain.listen()], fetch: tally.fetch });
  const genesisHash = Keypair.generate().publicKey.toBase58();
  const exchange = standInAdapter(new Uint8Array(32)).open(rpc.connection, genesisHash);
  const end = new AbortController();
  let [meter, backlog]: [StreamMeter | null, number] = [null, 0];
  const streamed = (next: StreamMeter): void => {
    [meter, backlog] = [next, Math.max(backlog, next.backlog)];
  };
  const parts = { db, rpc, exchange: chain.exchangeLike(exchange), now: () => new Date(), settings: SETTINGS };
  const rows = new RowWatch(db, chain);
  const swapsStored = (): void => rows.look();
  const deps = indexDeps(captureLog(), parts, { streamed, swapsStored });
  const following = tally.within('index', () => followMarket(deps, chain.stream, end.signal));
  while (meter === null) await sleep(LOOK_EVERY_MS);
  await chain.run(load.seconds, load.perSecond);
  const ended = performance.now();
  const swaps = chain.told.size;
  let isOver = false;
  const time = (async () => {
    while (!isOver) await chain.run(1, 0);
  })();
  const emptyAfter = await until(async () => (await count(db, sql`true`)) >= swaps, ended);
  const finalAfter = await until(async () => (await count(db, sql`finalized`)) >= swaps, ended);
  isOver = true;
  end.abort();
  await Promise.all([following, time]);
  const counted = tally.take();
  const times = await rows.times();
  await db.destroy();
  await chain.close();
  return {
    pools: load.pools,
    swaps,
    seconds: load.seconds,
    backlog,
    emptyAfter,
    finalAfter,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    rpc: totalOf(counted.rpc) / swaps,
    sql: totalOf(counted.sql) / swaps,
  };
}

/** Some addresses exceed a key's range. */
const SEEDED_FOR_EACH = 8;

async function openPools(databaseUrl: string, count: number): Promise<MadeUpPool[]> {
  const db = await openSeeded(databaseUrl, { tokens: SEEDED_FOR_EACH * count, swaps: 0 });
  const rows = await db
    .selectFrom('tokens')
    .innerJoin('poolCursors', 'poolCursors.mint', 'tokens.mint')
    .select(['poolCursors.pool', 'tokens.mint', 'tokens.quoteMint'])
    .execute();
  const opened = rows
    .filter((row) => Object.values(row).every(isAddress))
    .slice(0, count)
    .map((row): MadeUpPool => {
      const someone = (): string => Keypair.generate().publicKey.toBase58();
      const balances = [{ slot: 0, base: 8n * 10n ** 17n, quote: 10n ** 9n }];
      return { ...row, baseVault: someone(), quoteVault: someone(), balances };
    });
  if (opened.length < count) throw new Error(`only ${opened.length} of ${rows.length} pools can be followed`);
  await sql`update pairs set price_source = 'fixed'`.execute(db);
  const observedAt = new Date(Date.now() - 60_000);
  const quoteMints = [...new Set(opened.map(({ quoteMint }) => quoteMint))];
  await prices.record(
    db,
    quoteMints.map((mint) => ({ mint, usd: '1', source: 'fixed' as const, observedAt })),
  );
  await sql`update pool_cursors as cursor set base_vault = given.base, quote_vault = given.quote, base_raw = 8e17,
      quote_vault_raw = 1e9, finalized_slot = 900, state_slot = 900
    from unnest(${opened.map(({ pool }) => pool)}::text[], ${opened.map(({ baseVault }) => baseVault)}::text[],
      ${opened.map(({ quoteVault }) => quoteVault)}::text[]) as given (pool, base, quote)
    where cursor.pool = given.pool`.execute(db);
  await sql`update pool_cursors set base_vault = 'b' || pool where base_vault is null`.execute(db);
  await sql`update token_markets set last_slot = 900`.execute(db);
  await sql`insert into market_stream (followed_slot) values (900)`.execute(db);
  await sql`vacuum analyze`.execute(db);
  await db.destroy();
  return opened;
}

function isAddress(text: string): boolean {
  return bs58.decode(text).length === 32;
}

class RowWatch {
  readonly #db: Db;
  readonly #told: ReadonlyMap<string, number>;
  readonly #times = new Map<string, number>();
  #from = 0n;
  #looking = Promise.resolve();
  #isAsked = false;

  constructor(db: Db, { told }: MadeUpChain) {
    this.#db = db;
    this.#told = told;
  }

  look(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#looking = this.#looking.then(() => this.#look());
  }

  /** ms. */
  async times(): Promise<number[]> {
    await this.#looking;
    return [...this.#times.values()];
  }

  async #look(): Promise<void> {
    this.#isAsked = false;
    const wanted = this.#db.selectFrom('swaps').select(['signatureBytes', 'slot']).where('finalized', '=', false);
    const rows = await wanted.where('slot', '>=', this.#from).execute();
    const now = performance.now();
    for (const { signatureBytes, slot } of rows) {
      const signature = bs58.encode(signatureBytes);
      if (!this.#times.has(signature)) this.#times.set(signature, now - (this.#told.get(signature) ?? now));
      if (slot > this.#from + 20n) this.#from = slot - 20n;
    }
  }
}

async function count(db: Db, which: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from swaps where ${which}`.execute(db);
  return Number(rows[0]?.count ?? 0n);
}

async function until(isSo: () => Promise<boolean>, since: number): Promise<number> {
  while (!(await isSo())) await sleep(LOOK_EVERY_MS);
  return (performance.now() - since) / 1_000;
}
