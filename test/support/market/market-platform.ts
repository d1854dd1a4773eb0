import { Connection, type PublicKey } from '@solana/web3.js';
import { pino } from 'pino';
import { createGraduationActivities } from '../../../activities/market/graduation.ts';
import { createHolderCountActivities } from '../../../activities/market/holder-count.ts';
import { createMarketCheckActivities } from '../../../activities/market/check.ts';
import type { IndexState, MarketDeps, MarketSettings, StreamMeter } from '../../../activities/market/deps.ts';
import { pollNext, pollPools, type PollReport } from '../../../activities/market/poll-pools.ts';
import { createPollMemory } from '../../../activities/market/poll-memory.ts';
import { followMarket } from '../../../activities/market/line/follow-market.ts';
import type { Exchange } from '../../../chain/exchange/exchange.ts';
import { createPriceSource } from '../../../chain/prices/price-source.ts';
import { fixedPriceReader } from '../../../chain/prices/fixed-prices.ts';
import { createRpc, type Rpc } from '../../../chain/rpc/rpc.ts';
import type { ChainStream } from '../../../chain/stream/chain-stream.ts';
import { createYellowstoneStream } from '../../../chain/stream/yellowstone/yellowstone-stream.ts';
import { connect, type Db } from '../../../db/connect.ts';
import * as pairs from '../../../db/pairs.ts';
import { createPriceLookups } from '../../../db/prices/price-lookups.ts';
import * as prices from '../../../db/prices/prices.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';
import { launchPool, type LaunchUnderTest } from '../exchange/launched-pool.ts';
import { type LaunchCase, QUOTE_DECIMALS, QUOTE_PRICE_USD } from '../exchange/launch-request.ts';
import { standInExchangeOn } from '../exchange/stand-in.ts';
import { createTestChain, type TestChain } from '../exchange/test-chain.ts';
import { recordToken } from '../launch/recorded-token.ts';
import { createTestDatabase } from '../../setup/database.ts';
import { captureLog, type CapturedLog } from '../platform/captured-log.ts';
import { eventually } from '../platform/eventually.ts';

/** A chain, a database and the index's activities, in this process and without Temporal. */
export interface MarketFixture {
  readonly localnet: Localnet;
  readonly chain: TestChain;
  readonly exchange: Exchange;
  readonly exchangeAt: (connection: Connection) => Exchange;
  readonly connection: Connection;
  readonly db: Db;
  readonly databaseUrl: string;
  readonly log: CapturedLog;
  /** The clock of chain and index, ms. */
  readonly now: () => number;
  /** Launches a token and lists it with its quote token, priced at QUOTE_PRICE_USD. */
  launch(kind?: Partial<LaunchCase>): Promise<LaunchUnderTest>;
  /** Sets a quote token's price as of a moment; default: now. */
  setPrice(quoteMint: PublicKey, usd: string, at?: number): Promise<void>;
  /** Activities of an index that asks these endpoints through this database; default: the ground's own. */
  index(over?: Partial<IndexParts>): MarketIndex;
  /** The same following the chain's stream by itself, until it is stopped; `lookAtMarket` waits for it. */
  follow(over?: Partial<IndexParts>): FollowingIndex;
  /** An RPC client of endpoints of this chain: `''` is the plain one, `b` the one at `/rpc/b`. */
  rpc(...endpoints: string[]): Rpc;
  /** Advances the chain until all that happened is final. */
  finalize(): void;
  close(): Promise<void>;
}

/** What an index works with. */
export interface IndexParts extends Pick<MarketDeps, 'db' | 'rpc' | 'exchange' | 'now'> {
  /** Default for each: so small and so often that tests need not wait. */
  readonly settings?: Partial<MarketSettings>;
  /** What is followed; default: the chain's own. */
  readonly stream?: ChainStream;
}

/** The polls and activities of an index, and what they metered last. */
export interface MarketIndex
  extends
    ReturnType<typeof createGraduationActivities>,
    ReturnType<typeof createHolderCountActivities>,
    ReturnType<typeof createMarketCheckActivities> {
  /** One poll of all pools. */
  lookAtMarket(): Promise<PollReport>;
  pollPools(pools: readonly string[]): Promise<PollReport>;
  readonly state: () => IndexState | null;
}

/** How a ground differs from the usual one. */
export interface FixtureOptions {
  /** ms per slot; default 20. */
  readonly slotMs?: number;
  /** How much faster than the system's clock the chain's and the index's clock runs; default 1. */
  readonly speed?: number;
  /** Slots from processed to finalized; default 31. */
  readonly slotsToFinalize?: number;
  /** Whether the chain serves a stream; default: it does not. */
  readonly stream?: boolean;
  /** A migrated database; default: one of its own. */
  readonly databaseUrl?: string;
  /** Default: the stand-in. */
  readonly exchange?: ExchangeOfFixture;
}

/** Another exchange, whose programs lie in a folder. */
export interface ExchangeOfFixture {
  readonly programsDir: string;
  readonly open: (localnet: Localnet, connection?: Connection) => Exchange;
  /** The wallet that pays for pools may need more accounts. */
  readonly prepare: (localnet: Localnet, chain: TestChain) => TestChain;
}

/** An index that follows the chain's stream. */
export interface FollowingIndex extends MarketIndex {
  /** How the stream stood last. */
  readonly meter: () => StreamMeter | null;
  /** Transactions that were read by RPC because the stream did not tell of them. */
  readonly filled: () => number;
  /** Ends it; rejects with what it failed with. */
  stop(): Promise<void>;
}

/** Slots after which a transaction is final on the local chain, and one more that closes the open block. */
const FINALITY_SLOTS = 33;

const STANDARD: LaunchCase = {
  fee: { mode: 'standard', feeTier: '1%' },
  baseFirst: true,
  quoteProgram: 'classic',
  devBuy: false,
};

/** Starts a ground. Its `close` leaves nothing. */
export async function startMarketFixture(options: FixtureOptions = {}): Promise<MarketFixture> {
  const { slotMs = 20, speed = 1, stream = false, slotsToFinalize } = options;
  const started = Date.now();
  const now = () => started + Math.round((Date.now() - started) * speed);
  const localnet = await startLocalnet({
    slotMs,
    now,
    ...(slotsToFinalize !== undefined && { slotsToFinalize }),
    ...(stream && { stream: { port: 0 } }),
    ...(options.exchange && { programsDir: options.exchange.programsDir }),
  });
  const open = options.exchange?.open ?? standInOf;
  const database =
    options.databaseUrl === undefined
      ? await createTestDatabase()
      : { url: options.databaseUrl, drop: () => Promise.resolve() };
  const db = connect(database.url, { applicationName: 'test', maxConnections: 15 });
  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  const plain = await createTestChain(connection, async (wallet, lamports) => {
    localnet.control.fund(wallet.toBase58(), BigInt(lamports));
  });
  const chain = options.exchange?.prepare(localnet, plain) ?? plain;
  const exchange = open(localnet);
  const log = captureLog();
  const parts = { localnet, chain, exchange, connection, db, log, now };
  const rpc = (...endpoints: string[]) =>
    createRpc({
      endpoints: endpoints.map((name) => (name === '' ? localnet.rpcUrl : `${localnet.rpcUrl}/rpc/${name}`)),
    });
  return {
    ...parts,
    exchangeAt: (through) => open(localnet, through),
    databaseUrl: database.url,
    rpc,
    launch: (kind) => launchToken(parts, { ...STANDARD, ...kind }),
    setPrice: (mint, usd, at = now()) => setPrice(db, mint, usd, at),
    index: (over) =>
      createIndex(parts, {
        db,
        rpc: rpc(''),
        exchange: open(localnet),
        now: () => new Date(now()),
        ...over,
      }),
    follow: (over) =>
      createFollower(parts, {
        db,
        rpc: rpc(''),
        exchange: open(localnet),
        now: () => new Date(now()),
        ...over,
      }),
    finalize: () => localnet.control.advanceSlots(FINALITY_SLOTS),
    close: async () => {
      await localnet.close();
      await db.destroy();
      await database.drop();
    },
  };
}

function standInOf(localnet: Localnet, connection?: Connection): Exchange {
  return standInExchangeOn(localnet, connection && { connection });
}

type Parts = Pick<MarketFixture, 'localnet' | 'chain' | 'exchange' | 'connection' | 'db' | 'log' | 'now'>;

function createIndex({ log }: Parts, over: IndexParts): MarketIndex {
  let state: IndexState | null = null;
  const settings = { settleEveryMs: 0, ...over.settings };
  const deps = indexDeps(log, { ...over, settings }, { polled: (next) => void (state = next) });
  const memory = createPollMemory();
  return {
    lookAtMarket: () => pollNext(deps, memory),
    pollPools: (pools) => pollPools(deps, pools, memory),
    ...createGraduationActivities(deps),
    ...createHolderCountActivities({ ...deps, most: 2 }),
    ...createMarketCheckActivities(deps),
    state: () => state,
  };
}

function createFollower(parts: Parts, over: IndexParts): FollowingIndex {
  const { log, localnet, connection } = parts;
  let [state, meter, filled]: [IndexState | null, StreamMeter | null, number] = [null, null, 0];
  let turns = 0;
  const end = new AbortController();
  const { stream = createYellowstoneStream({ url: localnet.streamUrl! }) } = over;
  const deps: MarketDeps = {
    ...indexDeps(log, over, {
      polled: (next) => void (state = next),
      streamed: (next) => {
        meter = next;
        turns++;
      },
      filled: (count) => void (filled += count),
    }),
    stream,
    cancellation: () => end.signal,
  };
  const running = followMarket(deps, stream, end.signal);
  running.catch(() => undefined);
  const caughtUp = async (): Promise<void> => {
    const failed = running.then(() => Promise.reject(new Error('the follower ended')));
    await Promise.race([eventually(() => followsAll(over.db, meter), 'all pools followed'), failed]);
    const [confirmed, finalized] = [await connection.getSlot('confirmed'), await connection.getSlot('finalized')];
    // What happened to a slot was told before the next block.
    const newest = Math.max(meter?.slot ?? 0, confirmed);
    const reached = eventually(() => {
      const isThere = meter !== null && meter.slot > newest && meter.settledSlot >= finalized && meter.backlog === 0;
      return Promise.resolve(isThere || null);
    }, `slot ${newest} of the stream`);
    await Promise.race([reached, failed]);
    const turn = turns;
    await Promise.race([eventually(() => Promise.resolve(turns > turn || null), 'a whole turn'), failed]);
  };
  return {
    ...createIndex(parts, over),
    lookAtMarket: async () => {
      await caughtUp();
      return { pools: 0, changed: 0, stored: 0, withdrawn: 0, failed: 0 };
    },
    state: () => state,
    meter: () => meter,
    filled: () => filled,
    stop: async () => {
      end.abort();
      try {
        await running;
      } finally {
        stream.close();
      }
    },
  };
}

/** Every pool that is on the chain is followed. */
async function followsAll(db: Db, meter: StreamMeter | null): Promise<true | null> {
  const { read, unread } = await db
    .selectFrom('poolCursors')
    .select((eb) => [
      eb.fn.count<bigint>('baseVault').as('read'),
      eb.fn.countAll<bigint>().filterWhere('baseVault', 'is', null).as('unread'),
    ])
    .executeTakeFirstOrThrow();
  return (unread === 0n && meter !== null && BigInt(meter.pools) >= read) || null;
}

/** So small that most histories take several turns, and so often that nobody waits. */
export const SMALL_SETTINGS: MarketSettings = {
  everyMs: 100,
  quietPools: 1_000,
  aboutToGraduateBps: 7_500,
  settleEveryMs: 50,
  compareEveryMs: 60_000,
  chunk: 3,
};

/** What an index works with in a test, where little of it matters. */
export function indexDeps(log: CapturedLog, over: IndexParts, meters: Partial<MarketDeps['meters']>): MarketDeps {
  const none = (): void => undefined;
  return {
    ...over,
    prices: createPriceSource({
      feedOf: async (id) => ({ kind: 'fixed', id, maxAgeMs: 60_000, maxConfidenceBps: 100, hasFixedUnit: true }),
      readers: {
        fixed: fixedPriceReader(createPriceLookups(over.db).fixedUsdOf, () => new Date()),
      },
      unitProblemOf: () => Promise.resolve(null),
      clockProblem: () => Promise.resolve(null),
      now: () => new Date(),
    }),
    maxDeviationBps: 2_000,
    settings: { ...SMALL_SETTINGS, ...over.settings },
    meters: {
      poolsRead: none,
      swapsStored: none,
      swapsWithdrawn: none,
      poolFailed: none,
      unread: none,
      polled: none,
      streamed: none,
      filled: none,
      ...meters,
    },
    startIndex: () => Promise.resolve(),
    logger: pino({ level: 'debug' }, log.destination),
    heartbeat: none,
    stream: over.stream ?? null,
    listen: () => Promise.resolve(),
    cancellation: () => new AbortController().signal,
  };
}

async function setPrice(db: Db, mint: PublicKey, usd: string, at: number): Promise<void> {
  await prices.record(db, [{ mint: mint.toBase58(), usd, source: 'fixed', observedAt: new Date(at) }]);
}

/** Launches on the exchange, and records pair and token as the platform's own steps do. */
async function launchToken({ exchange, chain, db, now }: Parts, kind: LaunchCase): Promise<LaunchUnderTest> {
  const launched = await launchPool(exchange, chain, kind);
  await listPair(db, launched);
  await setPrice(db, launched.request.quote.mint, QUOTE_PRICE_USD, now() - 1_000);
  await recordToken(db, launched, kind.fee, { createdAt: new Date(now()), createdSlot: 1n });
  return launched;
}

async function listPair(db: Db, { request: { quote } }: LaunchUnderTest): Promise<void> {
  const mint = quote.mint.toBase58();
  await pairs.add(
    db,
    {
      mint,
      symbol: mint.slice(0, 6),
      name: mint.slice(0, 12),
      decimals: QUOTE_DECIMALS,
      category: 'test',
      logoUrl: null,
      tokenProgram: quote.tokenProgram.toBase58(),
      priceSource: 'fixed',
      priceSourceId: mint,
      priceMaxAgeMs: 60_000,
      priceMaxConfidenceBps: 100,
    },
    { actor: 'test', note: 'for a test' },
  );
}
