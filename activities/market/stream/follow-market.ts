import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainStream, OpenStream } from '../../../chain/stream/chain-stream.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
import * as poolCursors from '../../../db/market/pool-cursors.ts';
import type { MarketDeps } from '../deps.ts';
import { lookAtPools } from '../look.ts';
import { MarketFollower } from './market-follower.ts';
import { WatchList } from './watch-list.ts';

/** What following came to. */
export interface FollowReport {
  /** The newest slot up to which everything is settled; null where nothing was. */
  readonly settledSlot: number | null;
}

/** An activity that ends now and then leaves a trace of how far it came. */
const LONGEST_MS = 60 * 60 * 1_000;
/** How long there may be nothing to do before somebody looks whether there is, ms. */
const REST_MS = 50;
/** How often the index is metered, ms. */
const METERS_EVERY_MS = 10_000;
/** Silence is noticed within seconds, and one turn may wait for a slow endpoint. */
const BEAT_EVERY_MS = 1_000;
const STUCK_AFTER_MS = 120_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** Without a stream all pools are compared with their vaults this often, ms. */
const COMPARE_EVERY_MS = 60_000;
/** New pools of one look. */
const NEW_POOLS = 100;

/**
 * Follows the market by a stream until it is to end. Where a stream was cut, the next one begins with the first slot that is not
 * settled; where it cannot, and while there is none, all pools are compared with what their vaults hold.
 */
export async function followMarket(deps: MarketDeps, stream: ChainStream): Promise<FollowReport> {
  const signal = AbortSignal.any([deps.cancellation(), AbortSignal.timeout(LONGEST_MS)]);
  const run = new FollowRun(deps, stream);
  const beat = setInterval(() => run.beat(), BEAT_EVERY_MS);
  try {
    await run.begin();
    await run.untilAborted(signal);
  } finally {
    clearInterval(beat);
  }
  return { settledSlot: run.settledSlot };
}

/** One run of the follower over as many streams as it takes. */
class FollowRun {
  readonly #deps: MarketDeps;
  readonly #stream: ChainStream;
  readonly #follower: MarketFollower;
  #open: OpenStream | null = null;
  #turnedAt = performance.now();
  #pauseMs = FIRST_PAUSE_MS;
  #retryAt = 0;
  #choresAt = 0;
  #metersAt = 0;
  /** All pools are compared once this slot is final; null where they need not be. */
  #compareAfter: number | null = null;
  #comparedAt = performance.now();
  #unreadable = new Map<string, { readonly at: number; readonly pauseMs: number }>();

  constructor(deps: MarketDeps, stream: ChainStream) {
    this.#deps = deps;
    this.#stream = stream;
    this.#follower = new MarketFollower(deps);
  }

  get settledSlot(): number | null {
    return this.#follower.settledSlot < 0 ? null : this.#follower.settledSlot;
  }

  /** Whoever does not get on for too long has to give way. */
  beat(): void {
    if (performance.now() - this.#turnedAt < STUCK_AFTER_MS) this.#deps.heartbeat();
  }

  async begin(): Promise<void> {
    const { db } = this.#deps;
    this.#follower.follow(await WatchList.load(db));
    const followed = await marketStream.followedSlot(db);
    const open = await marketStream.unsettled(db, followed ?? 0);
    await this.#follower.remember(open.map(({ pool }) => pool));
    await this.#follower.distrust(open.filter(({ isOverdue }) => isOverdue).map(({ pool }) => pool));
  }

  async untilAborted(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        this.#turnedAt = performance.now();
        if (this.#open === null && performance.now() >= this.#retryAt) await this.#connect();
        const wasBusy = await this.#follower.step();
        await this.#compareInTime();
        await this.#doChores();
        this.#meter(this.#open !== null);
        if (!wasBusy) await sleep(REST_MS, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.#open?.close();
      this.#meter(false);
    }
  }

  async #connect(): Promise<void> {
    const { db, logger } = this.#deps;
    const { host } = this.#stream;
    this.#retryAt = performance.now() + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    const followed = await marketStream.followedSlot(db);
    try {
      const first = await this.#stream.firstAvailable();
      const from = followed !== null && first !== null && first <= followed + 1 ? followed + 1 : null;
      if (from === null) this.#noteHole();
      logger.info({ host, from }, 'the market is followed by a stream');
      const open = this.#stream.open(this.#follower.list.wanted(), from, (event) => {
        this.#pauseMs = FIRST_PAUSE_MS;
        this.#follower.hear(event);
      });
      this.#open = open;
      void open.ended.then((reason) => {
        logger.warn({ err: reason, host }, 'the stream of the market ended');
        if (this.#open === open) this.#open = null;
      });
    } catch (error) {
      logger.warn({ err: error, host }, 'the stream of the market cannot be reached');
    }
  }

  /** What happened before the stream began is found by comparison, once it reaches back to what is final. */
  #noteHole(): void {
    this.#follower.ear.noteHole();
    this.#follower.isWhole = false;
    this.#compareAfter = Math.max(this.#follower.ear.tip, 0);
    this.#firstTip = null;
  }

  #firstTip: number | null = null;

  async #compareInTime(): Promise<void> {
    const { ear } = this.#follower;
    if (this.#open === null) {
      if (performance.now() - this.#comparedAt < COMPARE_EVERY_MS) return;
      return this.#compare();
    }
    if (this.#compareAfter === null) return;
    if (this.#firstTip === null && ear.tip > this.#compareAfter) this.#firstTip = ear.tip;
    if (this.#firstTip === null || ear.book.finalized < this.#firstTip) return;
    this.#compareAfter = null;
    await this.#compare();
  }

  async #compare(): Promise<void> {
    this.#comparedAt = performance.now();
    try {
      await this.#follower.compareAll();
      this.#follower.isWhole = this.#compareAfter === null;
    } catch (error) {
      this.#compareAfter = Math.max(this.#follower.ear.tip, 0);
      this.#deps.logger.warn({ err: error }, 'the pools could not be compared with their vaults');
    }
  }

  async #doChores(): Promise<void> {
    const now = performance.now();
    if (now < this.#choresAt) return;
    this.#choresAt = now + this.#deps.settings.everyMs;
    await this.#followNewPools(now);
    if (now < this.#metersAt) return;
    this.#metersAt = now + METERS_EVERY_MS;
    this.#deps.meters.looked(await this.#follower.state());
  }

  /** Pools that nobody has read yet are looked at as without a stream, and followed from then on. */
  async #followNewPools(now: number): Promise<void> {
    const { db } = this.#deps;
    const fresh = (await marketStream.unread(db, NEW_POOLS)).filter(
      (pool) => (this.#unreadable.get(pool)?.at ?? 0) <= now,
    );
    if (fresh.length === 0) return;
    await lookAtPools(this.#deps, fresh);
    const { list } = this.#follower;
    const known: string[] = [];
    for (const { pool, mint, baseVault } of await poolCursors.byPools(db, fresh)) {
      if (baseVault === null) {
        // A fork took it, or it is not there yet.
        const pauseMs = Math.min(
          2 * (this.#unreadable.get(pool)?.pauseMs ?? this.#deps.settings.everyMs),
          COMPARE_EVERY_MS,
        );
        this.#unreadable.set(pool, { at: now + pauseMs, pauseMs });
      } else {
        this.#unreadable.delete(pool);
        list.add({ pool, mint, baseVault });
        known.push(pool);
      }
    }
    if (known.length === 0) return;
    this.#open?.change(list.wanted());
    await this.#follower.distrust(known);
  }

  #meter(isConnected: boolean): void {
    const { ear, settledSlot, backlog, list } = this.#follower;
    const updates = ear.takeUpdates();
    this.#deps.meters.streamed({
      isConnected,
      pools: list.size,
      slot: ear.tip,
      finalizedSlot: ear.book.finalized,
      settledSlot,
      backlog,
      updates,
    });
  }
}
