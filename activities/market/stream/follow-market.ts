import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainStream, OpenStream, StreamEvent } from '../../../chain/stream/chain-stream.ts';
import { NEAR_SLOTS } from '../../../chain/rpc/head.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
import type { MarketDeps } from '../deps.ts';
import { pollPools } from '../poll-pools.ts';
import { MarketFollower } from './market-follower.ts';
import { WatchList } from './watch-list.ts';

const REST_MS = 50;
const METERS_EVERY_MS = 10_000;
/** Heartbeat interval, ms: Temporal notices a dead worker within seconds; one step may wait for a slow endpoint. */
const BEAT_EVERY_MS = 1_000;
const STUCK_AFTER_MS = 120_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** A stream that lasted this long resets the pause before a reconnect, ms. */
const LONG_LIFE_MS = 30_000;
const UNREADABLE_PAUSE_MS = 60_000;
/**
 * Slots by which a stream may be ahead of the presumed tip, plus one per `LEAST_SLOT_MS` since then. A stream further
 * ahead is of another chain or broken.
 */
const MOST_SLOTS_AHEAD = 500;
const LEAST_SLOT_MS = 10;
/** A backlog above this closes the stream, which reconnects later. */
const MOST_WAITING = 50_000;
const NEW_POOLS = 100;

/**
 * Follows the market by a stream until `signal` aborts. A reconnect resumes at the first unsettled slot. If it cannot,
 * or if the stream is silent, all pools are compared with the chain.
 */
export async function followMarket(deps: MarketDeps, stream: ChainStream, signal: AbortSignal): Promise<void> {
  const run = new FollowRun(deps, stream);
  const beat = setInterval(() => run.beat(), BEAT_EVERY_MS);
  try {
    await run.begin();
    await run.untilAborted(signal);
  } finally {
    clearInterval(beat);
  }
}

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
  /** All pools must be compared once the stream's first slot, which is after this one, is final. */
  #compareAfter: number | null = null;
  #comparedAt = performance.now();
  /** When the stream last reported a new slot at or beyond finality, ms. */
  #reportedAt = performance.now();
  #reportedSlot = -1;
  #headAt = performance.now();
  #headSlot = -1;
  #unreadable = new Map<string, { readonly at: number; readonly pauseMs: number }>();

  constructor(deps: MarketDeps, stream: ChainStream) {
    this.#deps = deps;
    this.#stream = stream;
    this.#follower = new MarketFollower(deps);
  }

  /** A stuck step stops the heartbeat, so that another worker takes over. */
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
    await this.#follower.requireChanged(open.filter(({ isOverdue }) => isOverdue).map(({ pool }) => pool));
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
        this.#meter(this.#open !== null && this.#follower.isStreamLive);
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
      const open = this.#stream.open(this.#follower.list.wanted(), from, (event) => this.#receive(event));
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

  #receive(event: StreamEvent): void {
    if (event.kind === 'unreadable') {
      this.#deps.meters.poolFailed();
      this.#deps.logger.warn({ err: event.error }, 'an update of the stream could not be read');
    } else if (this.#isPlausible(event.slot)) this.#follower.receive(event);
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

  /** A stream behind finality counts as silent. */
  #noteNews(): void {
    const { buffer, finalSlot, presumedSlot } = this.#follower;
    if (presumedSlot !== this.#headSlot) [this.#headSlot, this.#headAt] = [presumedSlot, performance.now()];
    if (buffer.tip > this.#reportedSlot && buffer.tip >= finalSlot) this.#reportedAt = performance.now();
    this.#reportedSlot = Math.max(this.#reportedSlot, buffer.tip);
    this.#follower.isStreamLive = performance.now() - this.#reportedAt < this.#deps.settings.compareEveryMs;
  }

  /** Requires a comparison of all pools, once the stream's first slot is final. */
  #noteHole(): void {
    this.#follower.noteHole();
    this.#compareAfter = Math.max(this.#follower.buffer.tip, 0);
    this.#firstTip = null;
  }

  #firstTip: number | null = null;
  #compareAgainAt = 0;

  async #compareInTime(): Promise<void> {
    const { buffer, finalSlot, isStreamLive } = this.#follower;
    const now = performance.now();
    if (this.#firstTip === null && this.#compareAfter !== null && buffer.tip > this.#compareAfter)
      this.#firstTip = buffer.tip;
    const isDue = !isStreamLive && now - this.#comparedAt >= this.#deps.settings.compareEveryMs;
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
    // Not due yet if a store has just reported that there are no new pools.
    if (now < Math.max(this.#choresAt, this.#follower.allReadAt + everyMs)) return;
    this.#choresAt = now + everyMs;
    await this.#followNewPools(now);
  }

  async #meterState(): Promise<void> {
    try {
      this.#deps.meters.polled(await this.#follower.state());
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'how far the index is behind could not be read');
    }
  }

  async #followNewPools(now: number): Promise<void> {
    const { db } = this.#deps;
    const fresh = (await marketStream.unread(db, NEW_POOLS)).filter(
      (pool) => (this.#unreadable.get(pool)?.at ?? 0) <= now,
    );
    if (fresh.length === 0) return;
    await pollPools(this.#deps, fresh);
    const { list } = this.#follower;
    const known: string[] = [];
    const read = new Map((await marketStream.poolsOf(db, fresh)).map((one) => [one.pool, one]));
    for (const pool of fresh) {
      const streamed = read.get(pool);
      if (!streamed) {
        // A fork removed the pool, or it is not on the chain yet.
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
    await this.#follower.requireChanged(known);
    this.#follower.requireLater(known);
  }

  #meter(isConnected: boolean): void {
    const { buffer, settledSlot, backlog, list, finalSlot } = this.#follower;
    const updates = buffer.takeUpdates();
    this.#deps.meters.streamed({
      isConnected,
      pools: list.size,
      slot: buffer.tip,
      finalizedSlot: finalSlot,
      settledSlot,
      backlog,
      updates,
    });
  }
}
