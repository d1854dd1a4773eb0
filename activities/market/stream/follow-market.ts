import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainStream, OpenStream, StreamEvent } from '../../../chain/stream/chain-stream.ts';
import { NEAR_SLOTS } from '../../../chain/rpc/head.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
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
/** A stream that lived for so long was a good one, ms. */
const LONG_LIFE_MS = 30_000;
/** Longest pause before a new pool that cannot be read is tried again, ms. */
const UNREADABLE_PAUSE_MS = 60_000;
/** A stream that is so far beyond what is likely final tells of another chain, or nonsense; and how fast slots may come, ms. */
const MOST_SLOTS_AHEAD = 500;
const LEAST_SLOT_MS = 10;
/** Transactions that may wait to be stored before the stream is cut, and begun again later. */
const MOST_WAITING = 50_000;
/** New pools of one look. */
const NEW_POOLS = 100;

/**
 * Follows the market by a stream until it is to end. Where a stream was cut, the next one begins with the first slot that is not
 * settled; where it cannot, and while it tells of no new slots, all pools are compared with the chain.
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
  /** When the stream last told of a new slot, beyond what RPC says is final, ms. */
  #toldAt = performance.now();
  #toldSlot = -1;
  #headAt = performance.now();
  #headSlot = -1;
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
    const isStuck = performance.now() - this.#turnedAt >= STUCK_AFTER_MS;
    if (!isStuck) this.#deps.heartbeat();
    if (isStuck || this.#follower.backlog > MOST_WAITING) this.#open?.close();
  }

  async begin(): Promise<void> {
    const { db } = this.#deps;
    this.#follower.follow(await WatchList.load(db));
    const followed = await marketStream.followedSlot(db);
    this.#follower.resume(followed);
    const open = await marketStream.unsettled(db, followed ?? 0);
    await this.#follower.remember(open.map(({ pool }) => pool));
    await this.#follower.distrust(open.filter(({ isOverdue }) => isOverdue).map(({ pool }) => pool));
  }

  async untilAborted(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        this.#turnedAt = performance.now();
        if (this.#open === null && performance.now() >= this.#retryAt) await this.#connect();
        this.#noteNews();
        const wasBusy = await this.#follower.step();
        await this.#compareInTime();
        await this.#doChores();
        this.#meter(this.#open !== null && this.#follower.isTelling);
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
    try {
      const followed = await this.#provenFollowed(db);
      const first = await this.#stream.firstAvailable();
      this.#follower.noteFirstAvailable(first);
      const from = followed !== null && first !== null && first <= followed + 1 ? followed + 1 : null;
      if (from === null) this.#noteHole();
      logger.info({ host, from }, 'the market is followed by a stream');
      const openedAt = performance.now();
      const open = this.#stream.open(this.#follower.list.wanted(), from, (event) => this.#hear(event));
      this.#open = open;
      void open.ended.then((reason) => {
        logger.warn({ err: reason, host }, 'the stream of the market ended');
        if (performance.now() - openedAt > LONG_LIFE_MS) this.#pauseMs = FIRST_PAUSE_MS;
        this.#pause();
        if (this.#open === open) this.#open = null;
      });
    } catch (error) {
      logger.warn({ err: error, host }, 'the stream of the market cannot be reached');
      this.#pause();
    }
  }

  #pause(): void {
    this.#retryAt = performance.now() + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }

  /** Where the stream was followed to; null where nobody knows. What is noted beyond finality is not so. */
  async #provenFollowed(db: MarketDeps['db']): Promise<number | null> {
    const slot = await this.#deps.rpc.reachedSlot('finalized');
    this.#follower.noteFinal(slot);
    const followed = await marketStream.followedSlot(db);
    if (followed === null || followed <= slot + NEAR_SLOTS) return followed;
    this.#deps.logger.error({ followed, finalized: slot }, 'the market was noted as followed beyond finality');
    await marketStream.forgetFollowed(db);
    this.#follower.resume(null);
    return null;
  }

  #hear(event: StreamEvent): void {
    if (event.kind === 'unreadable') {
      this.#deps.meters.poolFailed();
      this.#deps.logger.warn({ err: event.error }, 'an update of the stream could not be read');
    } else if (this.#isPlausible(event.slot)) this.#follower.hear(event);
    else {
      const { finalSlot } = this.#follower;
      this.#deps.logger.error({ slot: event.slot, finalSlot }, 'the stream tells of slots that are not there yet');
      this.#open?.close();
    }
  }

  #isPlausible(slot: number): boolean {
    const passed = (performance.now() - this.#headAt) / LEAST_SLOT_MS;
    return slot <= this.#follower.presumedSlot + MOST_SLOTS_AHEAD + passed;
  }

  /** A stream that lags behind finality, or stands still, is as good as none. */
  #noteNews(): void {
    const { ear, finalSlot, presumedSlot } = this.#follower;
    if (presumedSlot !== this.#headSlot) [this.#headSlot, this.#headAt] = [presumedSlot, performance.now()];
    if (ear.tip > this.#toldSlot && ear.tip >= finalSlot) this.#toldAt = performance.now();
    this.#toldSlot = Math.max(this.#toldSlot, ear.tip);
    this.#follower.isTelling = performance.now() - this.#toldAt < this.#deps.settings.compareEveryMs;
  }

  /** What happened before the stream began is found by comparison, once it reaches back to what is final. */
  #noteHole(): void {
    this.#follower.noteHole();
    this.#compareAfter = Math.max(this.#follower.ear.tip, 0);
    this.#firstTip = null;
  }

  #firstTip: number | null = null;
  #compareAgainAt = 0;

  async #compareInTime(): Promise<void> {
    const { ear, finalSlot, isTelling } = this.#follower;
    const now = performance.now();
    if (this.#firstTip === null && this.#compareAfter !== null && ear.tip > this.#compareAfter)
      this.#firstTip = ear.tip;
    const isDue = !isTelling && now - this.#comparedAt >= this.#deps.settings.compareEveryMs;
    if (isDue || (this.#firstTip !== null && finalSlot >= this.#firstTip && now >= this.#compareAgainAt)) {
      await this.#compare();
    }
  }

  async #compare(): Promise<void> {
    this.#comparedAt = performance.now();
    this.#compareAgainAt = this.#comparedAt + this.#deps.settings.settleEveryMs;
    const first = this.#firstTip;
    try {
      await this.#follower.compareAll((slot) => first !== null && slot >= first);
      if (this.#follower.isWhole) [this.#compareAfter, this.#firstTip] = [null, null];
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'the pools could not be compared with the chain');
    }
  }

  async #doChores(): Promise<void> {
    const { everyMs } = this.#deps.settings;
    const now = performance.now();
    if (now >= this.#metersAt) {
      this.#metersAt = now + METERS_EVERY_MS;
      void this.#meterState();
    }
    // Whoever stores swaps hears with it that there is no new pool.
    if (now < Math.max(this.#choresAt, this.#follower.allReadAt + everyMs)) return;
    this.#choresAt = now + everyMs;
    await this.#followNewPools(now);
  }

  /** Nothing that was told waits for it. */
  async #meterState(): Promise<void> {
    try {
      this.#deps.meters.looked(await this.#follower.state());
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'how far the index is behind could not be read');
    }
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
    const read = new Map((await marketStream.poolsOf(db, fresh)).map((one) => [one.pool, one]));
    for (const pool of fresh) {
      const streamed = read.get(pool);
      if (!streamed) {
        // A fork took it, or it is not there yet.
        const pauseMs = Math.min(
          2 * (this.#unreadable.get(pool)?.pauseMs ?? this.#deps.settings.everyMs),
          UNREADABLE_PAUSE_MS,
        );
        this.#unreadable.set(pool, { at: now + pauseMs, pauseMs });
      } else {
        this.#unreadable.delete(pool);
        list.add(streamed);
        known.push(pool);
      }
    }
    if (known.length === 0) return;
    this.#open?.change(list.wanted());
    await this.#follower.distrust(known);
    this.#follower.distrustLater(known);
  }

  #meter(isConnected: boolean): void {
    const { ear, settledSlot, backlog, list, finalSlot } = this.#follower;
    const updates = ear.takeUpdates();
    this.#deps.meters.streamed({
      isConnected,
      pools: list.size,
      slot: ear.tip,
      finalizedSlot: finalSlot,
      settledSlot,
      backlog,
      updates,
    });
  }
}
