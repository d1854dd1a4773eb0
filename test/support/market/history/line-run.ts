import { isDeepStrictEqual } from 'node:util';
import { setImmediate } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { sql } from 'kysely';
import { moveAlong, openStages, type Stages } from '../../../../activities/market/line/stages.ts';
import { refreshFigures } from '../../../../activities/market/figures.ts';
import type { StreamEvent } from '../../../../chain/stream/chain-stream.ts';
import { connect, type Db } from '../../../../db/connect.ts';
import * as prices from '../../../../db/prices/prices.ts';
import { standInAdapter } from '../../../../dev/stand-in/stand-in-adapter.ts';
import { listPair } from '../../api/test-pairs.ts';
import { launchTerms } from '../../launch/launch-rows.ts';
import { launchedToken } from '../../launch/launched-token.ts';
import { captureLog } from '../../platform/captured-log.ts';
import { indexDeps } from '../market-platform.ts';
import { FIRST_SLOT, OPENING, QUOTE_DECIMALS, RecordedChain, type RecordedPool } from './recorded-chain.ts';
import { recordedRpc } from './recorded-rpc.ts';
import { QUOTE_USD, recountedFacts, recountedSwaps } from './recounted.ts';
import { ReplaySource } from './replay-source.ts';
import { isCalm, type Loss, POOLS, type Step } from './steps.ts';
import { storedFacts, storedSwaps } from './stored-facts.ts';

/** Midnight, so that months and candles of histories are alike. Unix seconds. */
const START = Date.UTC(2026, 10, 20) / 1_000;
/** Blocks in which everything that happened must become final. */
const MOST_LAST_BLOCKS = 60;
/** Turns of the line after each block. */
const TURNS = 2;

/** The real line on a database of its own, for histories one after another. */
export interface LineUnderTest {
  /** Feeds a history through the line; answers what differs from the recount, or null. */
  differenceOf(steps: readonly Step[]): Promise<object | null>;
  close(): Promise<void>;
}

/** @param databaseUrl a migrated database without tokens */
export async function openLineOn(databaseUrl: string): Promise<LineUnderTest> {
  const db = connect(databaseUrl, { applicationName: 'line', maxConnections: 4 });
  const pools: RecordedPool[] = [];
  for (let pool = 0; pool < POOLS; pool++) pools.push(await listedPool(db));
  return { differenceOf: (steps) => runHistory(db, pools, steps), close: () => db.destroy() };
}

async function listedPool(db: Db): Promise<RecordedPool> {
  const key = (): string => Keypair.generate().publicKey.toBase58();
  const [mint, quoteMint] = [Keypair.generate(), Keypair.generate()]
    .toSorted((a, b) => Buffer.compare(a.publicKey.toBuffer(), b.publicKey.toBuffer()))
    .map(({ publicKey }) => publicKey.toBase58()) as [string, string];
  const { symbol } = await listPair(db, { mint: quoteMint, symbol: quoteMint.slice(0, 6), decimals: QUOTE_DECIMALS });
  const observedAt = new Date(Date.UTC(2026, 0, 1));
  await prices.record(db, [{ mint: quoteMint, usd: String(QUOTE_USD), source: 'fixed', observedAt }]);
  const pool = { pool: key(), mint, quoteMint, baseVault: key(), quoteVault: key() };
  const { addresses, opening } = launchTerms();
  // One quote token for each of 10 ^ 9 tokens.
  const atOne = { ...opening, quotePriceUsd: String(QUOTE_USD), marketCapUsd: String(QUOTE_USD * 10n ** 9n) };
  await launchedToken(db, {
    terms: { addresses: { ...addresses, mint }, opening: atOne },
    token: { mint, pool: pool.pool, quoteMint, quoteSymbol: symbol },
  });
  return pool;
}

/** Answers the last event, and the peaks, which never fall. */
async function reset(db: Db, pools: readonly RecordedPool[]) {
  await db.deleteFrom('marketSwaps').execute();
  await db.deleteFrom('marketStream').execute();
  for (const { pool, mint, baseVault, quoteVault } of pools) {
    await sql`update pool_cursors set seen = null, changed_slot = null, finalized_slot = ${FIRST_SLOT}, gap = null,
      gap_since = null, base_raw = ${OPENING.base}, quote_raw = ${OPENING.quote}, base_vault = ${baseVault},
      quote_vault = ${quoteVault}, state_slot = null, figures_version = swaps_version, quote_vault_raw = ${OPENING.quote}
      where pool = ${pool}`.execute(db);
    await sql`update token_markets set last_slot = null, price_quote = null,
      status = 'new' where mint = ${mint}`.execute(db);
  }
  await sql`insert into market_stream (followed_slot) values (${FIRST_SLOT})`.execute(db);
  const { rows } = await sql<{ last: bigint }>`select coalesce(max(id), 0) as last from events`.execute(db);
  const markets = await db.selectFrom('tokenMarkets').select(['mint', 'highWaterMarketCapUsd as usd']).execute();
  return { afterEvent: rows[0]!.last, peaks: new Map(markets.map(({ mint, usd }) => [mint, usd])) };
}

async function runHistory(db: Db, pools: readonly RecordedPool[], steps: readonly Step[]): Promise<object | null> {
  const { afterEvent, peaks } = await reset(db, pools);
  const run = new HistoryRun(db, pools);
  for (const step of steps) {
    await run.take(step);
    // An undisturbed source leaves nothing to find later.
    const early = step.kind === 'block' && isCalm(steps) ? await provisionalDifference(db, run, pools) : null;
    if (early) return early;
  }
  await run.finish();
  for (const pool of pools) {
    const stored = await storedFacts(db, pool, run.now, afterEvent);
    const counted = recountedFacts(run.chain, pool, { now: run.now, peakUsd: peaks.get(pool.mint) ?? '0' });
    for (const fact of Object.keys(counted) as (keyof typeof counted)[]) {
      if (!isDeepStrictEqual(stored[fact], counted[fact])) {
        return { fact, stored: stored[fact], counted: counted[fact], log: run.log.lines.slice(-20) };
      }
    }
  }
  return null;
}

async function provisionalDifference(db: Db, run: HistoryRun, pools: readonly RecordedPool[]): Promise<object | null> {
  for (const pool of pools) {
    const [stored, counted] = [await storedSwaps(db, pool), recountedSwaps(run.chain, pool)].map((swaps) =>
      swaps.map((swap) => ({ ...swap, finalized: null })),
    );
    if (!isDeepStrictEqual(stored, counted)) return { fact: 'provisional swaps', stored, counted };
  }
  return null;
}

class HistoryRun {
  readonly chain: RecordedChain;
  readonly log = captureLog();
  readonly #db: Db;
  readonly #pools: readonly RecordedPool[];
  readonly #source: ReplaySource;
  #stages: Promise<Stages>;
  #losses: Loss[] = [];
  #isRepeated = false;
  #isReordered = false;
  #extraMs = 0;

  constructor(db: Db, pools: readonly RecordedPool[]) {
    this.#db = db;
    this.#pools = pools;
    this.chain = new RecordedChain(pools, START);
    this.#source = new ReplaySource(this.chain);
    this.#stages = this.#open();
  }

  /** Unix seconds, by the chain's clock. */
  get now(): number {
    return this.chain.now + 2;
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'trade') this.chain.trade(step.pool, step.side);
    else if (step.kind === 'block') await this.#block(step.skipped);
    else if (step.kind === 'fork') this.#fork(step.depth, step.reland);
    else if (step.kind === 'lose') this.#losses.push(step.what);
    else if (step.kind === 'repeat') this.#isRepeated = true;
    else if (step.kind === 'reorder') this.#isReordered = true;
    else if (step.kind === 'cut') this.#source.cut();
    else if (step.kind === 'hole') this.#source.forget();
    else await this.#restart();
  }

  /** Trades each pool once more, which shows what a source lost altogether, and waits until all is final. */
  async finish(): Promise<void> {
    await this.#block(0);
    for (const pool of this.#pools.keys()) this.chain.trade(pool, 'buy');
    await this.#block(0);
    const { slot } = this.chain.tip;
    for (let block = 0; block < MOST_LAST_BLOCKS && !(await this.#isSettled(slot)); block++) {
      this.#extraMs += 1_000;
      await this.#block(2);
    }
    const { line, connection } = await this.#stages;
    connection.close();
    // As the round does where swaps are newer than figures.
    if (await this.#isDue()) await refreshFigures(line.deps);
  }

  async #isDue(): Promise<boolean> {
    const { rows } = await sql`select from pool_cursors where figures_version <> swaps_version`.execute(this.#db);
    return rows.length > 0;
  }

  async #isSettled(slot: number): Promise<boolean> {
    const cursors = await this.#db.selectFrom('poolCursors').selectAll().execute();
    return cursors.every((one) => one.changedSlot === null && one.gap === null && one.finalizedSlot >= slot);
  }

  #open(): Promise<Stages> {
    const ms = (): number => 1_000 * this.now;
    const rpc = recordedRpc(this.chain, ms);
    const exchange = this.chain.exchangeLike(standInAdapter(new Uint8Array(32)).open(rpc.connection, 'recorded'));
    const settings = { settleEveryMs: 1_000, everyMs: 1_000 };
    const parts = { db: this.#db, rpc, exchange, now: () => new Date(ms()), settings };
    return openStages(indexDeps(this.log, parts, {}), this.#source, () => this.#ms);
  }

  /** Monotonic clock of the line. */
  get #ms(): number {
    return 1_000 * (this.now - START) + this.#extraMs;
  }

  async #restart(): Promise<void> {
    (await this.#stages).connection.close();
    this.#source.cut();
    this.#stages = this.#open();
    await this.#stages;
  }

  #fork(depth: number, reland: number): void {
    const dead = this.chain.fork(depth, reland);
    this.#report(dead.map(({ slot }) => ({ kind: 'slot', slot, status: 'dead' })));
  }

  async #block(skipped: number): Promise<void> {
    const events = this.chain.eventsOf(this.chain.close(skipped));
    this.#report(events);
    for (let turn = 0; turn < TURNS; turn++) {
      await moveAlong(await this.#stages);
      // The readings of what is final go on beside the turns.
      await setImmediate();
    }
  }

  #report(events: readonly StreamEvent[]): void {
    const told = events.filter((event) => !this.#losses.some((loss) => IS_LOST[loss](event)));
    const ordered = this.#isReordered ? told.toReversed() : told;
    this.#source.report(this.#isRepeated ? [...ordered, ...ordered] : ordered);
    this.#losses = [];
    this.#isRepeated = this.#isReordered = false;
  }
}

const IS_LOST: Readonly<Record<Loss, (event: StreamEvent) => boolean>> = {
  transactions: ({ kind }) => kind === 'transaction',
  accounts: ({ kind }) => kind === 'account',
  'transactions and accounts': ({ kind }) => kind === 'transaction' || kind === 'account',
  blocks: ({ kind }) => kind === 'block',
  slots: ({ kind }) => kind === 'slot',
};
