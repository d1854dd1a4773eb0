import { readOpenPools } from '../../../chain/market/pool-accounts.ts';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import type { StreamEvent } from '../../../chain/stream/chain-stream.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
import * as poolCursors from '../../../db/market/pool-cursors.ts';
import * as swaps from '../../../db/market/swaps.ts';
import type { NewSwap, SettledSpan } from '../../../db/market/swaps.ts';
import { highestMarketCap } from '../../../domain/market/figures.ts';
import type { MarketDeps } from '../deps.ts';
import { saveFigures, saveStandings } from '../figures.ts';
import { reportUnread, withdrawnOf } from '../follow-tip.ts';
import { priceBatches } from '../price-swaps.ts';
import { createQuotePrices, type QuotePrices } from '../quote-prices.ts';
import { type FinalizedVault, settlePool } from '../settle.ts';
import { type FollowedPool, FollowedPools, keyOf, type PoolStep } from './followed-pools.ts';
import {
  type PoolStand,
  readHistory,
  readMissed,
  readStands,
  readVaults,
  STANDS_PER_CALL,
  stepOf,
} from './pool-history.ts';
import { type HeardTransaction, type MissingTransaction, type SeenAccount, StreamEar } from './stream-ear.ts';
import { WatchList } from './watch-list.ts';

/** Pools whose histories are read at once, and at most before others have their turn. */
const POOLS_AT_ONCE = 8;
const POOLS_A_TURN = 200;
/** Prices are asked for again after this time, ms. */
const PRICES_KEPT_MS = 5_000;
/** A history that did not help is read again after this time, doubled each time, ms. */
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 30_000;
/** What does not link may only be late, ms. */
const LATE_MS = 200;
/** A pool that is asked for from now on is told of after so many slots at the latest. */
const ASKED_WITHIN_SLOTS = 16;
/** Idle pools that are kept in mind. */
const MOST_POOLS = 20_000;

/**
 * Turns what a stream tells into rows. What a transaction leaves in a vault is where the next one must begin: where that does not
 * link, and only there, RPC is asked. What is final is settled once the vaults hold, by RPC and beyond any fork, what the
 * transactions leave in them: a hundred pools with a call.
 */
export class MarketFollower {
  readonly #deps: MarketDeps;
  readonly #ear: StreamEar;
  readonly #pools: FollowedPools;
  /** Pools whose history is to be read, each with the slot up to which. */
  readonly #broken = new Map<string, number>();
  /** Pools with transactions that do not link, since when (ms). */
  readonly #looseSince = new Map<string, number>();
  /** Pools whose figures a fork made old, each with the slot that they were saved of. */
  readonly #outdated = new Map<string, number>();
  #list = new WatchList();
  #prices: QuotePrices;
  #pricedAt = 0;
  #settledAt = Number.NEGATIVE_INFINITY;
  #settled = -1;
  #comparedSlot = -1;
  #finalSlot = -1;
  /** Pools that were not settled when the stream was found to have a hole. */
  #doubted = new Set<string>();
  /** Pools to read once more when the stream has come to a slot. */
  #later: { readonly slot: number; readonly pools: readonly string[] }[] = [];
  #isWhole = true;
  /** True while the stream tells of new slots: what it told up to there is worth waiting for. */
  isTelling = true;

  constructor(deps: MarketDeps) {
    this.#deps = deps;
    this.#ear = new StreamEar(
      () => this.#list,
      () => performance.now(),
    );
    this.#pools = new FollowedPools(deps, this.#ear.supplies);
    this.#prices = createQuotePrices(deps);
  }

  get list(): WatchList {
    return this.#list;
  }

  get ear(): StreamEar {
    return this.#ear;
  }

  /** Everything up to this slot is settled; -1 where nobody knows. */
  get settledSlot(): number {
    return this.#settled;
  }

  /** The newest final slot by RPC's word; -1 before somebody asked. */
  get finalSlot(): number {
    return this.#finalSlot;
  }

  /** All pools were compared with the chain as of this slot; -1 before. */
  get comparedSlot(): number {
    return this.#comparedSlot;
  }

  /** False while there may be trades that nobody told of and nobody has looked for yet. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Transactions that are not stored yet. */
  get backlog(): number {
    return this.#ear.waiting;
  }

  /** Begins to follow these pools. */
  follow(list: WatchList): void {
    this.#list = list;
  }

  hear(event: Exclude<StreamEvent, { kind: 'unreadable' }>): void {
    this.#ear.hear(event);
  }

  /** Something of these pools is not settled; the stream will tell of it. */
  remember(pools: readonly string[]): Promise<void> {
    return this.#pools.load(pools);
  }

  /** Somebody asked RPC how far the chain is final. */
  noteFinal(slot: number): void {
    this.#finalSlot = Math.max(this.#finalSlot, slot);
  }

  /** Goes on from what is noted: everything up to this slot is settled. */
  resume(followedSlot: number | null): void {
    this.#settled = followedSlot ?? -1;
  }

  /** Asks for the history of these pools up to a slot at least, whatever the stream tells. */
  async distrust(pools: readonly string[], upTo = 0): Promise<void> {
    await this.#pools.load(pools);
    for (const pool of pools) {
      this.#distrustOne(pool, upTo);
      this.#noteChanged(pool, upTo);
    }
  }

  /** Asks for it again when the stream must be telling of them. */
  distrustLater(pools: readonly string[]): void {
    this.#later.push({ slot: this.#ear.tip + ASKED_WITHIN_SLOTS, pools });
  }

  #distrustOne(address: string, upTo: number): void {
    const pool = this.#pools.get(address);
    if (!pool) return;
    if (upTo > 0 && !this.#broken.has(address)) Object.assign(pool, { attempts: 0, nextAttempt: 0 });
    this.#broken.set(address, Math.max(this.#broken.get(address) ?? 0, upTo));
  }

  /** Something may have happened that nobody told of. Until all pools were compared nothing is settled by what the stream tells. */
  noteHole(): void {
    this.#isWhole = false;
    this.#ear.noteHole();
    for (const pool of this.#pools.all()) if (isOpen(pool)) this.#doubted.add(pool.cursor.pool);
  }

  /**
   * Compares all pools and their vaults with what is known of them, beyond any fork, and has the histories of those read that differ.
   * @param closesHole true where the stream is whole from a slot on that is final
   */
  async compareAll(closesHole: (comparedSlot: number) => boolean): Promise<void> {
    const known = new Map((await marketStream.stands(this.#deps.db)).map((stand) => [stand.pool, stand]));
    const all = this.#list.all();
    const pages = Array.from({ length: Math.ceil(all.length / STANDS_PER_CALL) }, (_, page) =>
      all.slice(page * STANDS_PER_CALL, (page + 1) * STANDS_PER_CALL),
    );
    const slots = await inParallel(POOLS_AT_ONCE, pages, async (page) => {
      this.#deps.heartbeat();
      const read = [...(await readStands(this.#deps, page))];
      const slot = lowest(read.map(([, stand]) => stand.slot)) ?? 0;
      const moved = read.filter(([pool, stand]) => this.#differs(pool, stand, known.get(pool)));
      await this.#noteLooks(moved);
      await this.distrust(
        moved.map(([pool]) => pool),
        slot,
      );
      return slot;
    });
    const compared = lowest(slots) ?? this.#finalSlot;
    if (!this.#isWhole && closesHole(compared)) {
      await this.distrust([...this.#doubted, ...this.#ear.touchedSinceHole()], compared);
      this.#doubted.clear();
      this.#ear.closeHole();
      this.#isWhole = true;
    }
    this.#comparedSlot = Math.max(this.#comparedSlot, compared);
  }

  #differs(pool: string, { slot, raw, hash }: PoolStand, stored: marketStream.StoredStand | undefined): boolean {
    const followed = this.#pools.get(pool);
    return hash !== stored?.seen || raw !== (followed ? followed.tail.rawAt(slot) : stored.baseRaw);
  }

  /** What is read for how they look now need not be read for it again. */
  async #noteLooks(moved: readonly (readonly [string, PoolStand])[]): Promise<void> {
    const looks = moved.filter(([pool, { slot }]) => (this.#pools.get(pool)?.changedSlot ?? 0) <= slot);
    const changes = looks.map(([pool, { slot, hash }]) => ({ pool, slot, seen: hash }));
    await marketStream.storeTails(this.#deps.db, changes, []);
  }

  /** Does what there is to do. Answers whether there was something. */
  async step(): Promise<boolean> {
    await this.#readTimes();
    await this.#doubtLost();
    const heard = this.#ear.takeReady();
    await this.#takeIn(heard);
    await this.#followForks();
    await this.#saveOutdated();
    await this.#readMissed();
    await this.#fill();
    const stored = await this.#store();
    await this.#settleInTime();
    this.#pools.shed(MOST_POOLS);
    return heard.length > 0 || stored;
  }

  /** Pools of transactions whose blocks nobody told of, and those that may have traded before they were told of. */
  async #doubtLost(): Promise<void> {
    for (const [pool, slot] of this.#ear.takeLost()) await this.distrust([pool], slot);
    const { tip } = this.#ear;
    const due = this.#later.filter(({ slot }) => slot <= tip);
    if (due.length === 0) return;
    this.#later = this.#later.filter(({ slot }) => slot > tip);
    for (const { slot, pools } of due) {
      await this.#pools.load(pools);
      for (const pool of pools) this.#distrustOne(pool, slot);
    }
  }

  /** Times of blocks that were not told of. */
  async #readTimes(): Promise<void> {
    for (const slot of this.#ear.untimed()) {
      try {
        const blockTime = await this.#deps.rpc.connection.getBlockTime(slot);
        if (blockTime !== null) this.#ear.noteTime(slot, blockTime);
      } catch (error) {
        this.#deps.logger.warn({ err: error, slot }, 'the time of a block could not be read');
      }
    }
  }

  async #takeIn(heard: readonly HeardTransaction[]): Promise<void> {
    await this.#pools.load([...new Set(heard.flatMap(({ pools }) => pools))]);
    const steps = new Map<FollowedPool, PoolStep[]>();
    for (const transaction of heard) {
      for (const address of transaction.pools) {
        const pool = this.#pools.get(address);
        const step = pool && this.#read(pool, transaction);
        if (step) steps.set(pool, [...(steps.get(pool) ?? []), step]);
      }
    }
    for (const [pool, found] of steps) this.#add(pool, found);
  }

  #read(pool: FollowedPool, transaction: HeardTransaction): PoolStep | null {
    try {
      return stepOf(this.#deps, pool, transaction);
    } catch (error) {
      // What cannot be read leaves a gap, which says so until somebody can.
      const { signature } = transaction.event;
      this.#deps.logger.warn({ err: error, pool: pool.cursor.pool, signature }, 'a transaction could not be read');
      this.#deps.meters.poolFailed();
      return null;
    }
  }

  #add(pool: FollowedPool, steps: readonly PoolStep[]): void {
    if (steps.length === 0) return;
    pool.tail.add(steps);
    pool.isDirty = true;
    pool.changedSlot = steps.reduce((newest, { slot }) => Math.max(newest, slot), pool.changedSlot ?? 0);
    this.#noteLinks(pool);
  }

  /** What does not link may come yet: RPC is asked a moment later. */
  #noteLinks({ cursor: { pool }, tail }: FollowedPool): void {
    if (tail.loose.length === 0) this.#looseSince.delete(pool);
    else if (!this.#looseSince.has(pool)) this.#looseSince.set(pool, performance.now());
  }

  /** Gives up what lay in slots that died, and what finality passed over. */
  async #followForks(): Promise<void> {
    const dead = this.#ear.takeDead();
    const { book } = this.#ear;
    const isGone = (slot: number): boolean => dead.has(slot) || book.fateOf(slot) === 'gone';
    for (const pool of this.#pools.all()) {
      if (pool.tail.isEmpty && pool.inherited.size === 0) continue;
      const dropped = pool.tail.drop(({ slot }) => isGone(slot));
      const lost = [...pool.inherited.values()].flat().filter(({ slot }) => isGone(Number(slot)));
      if (dropped.length + lost.length > 0) await this.#withdraw(pool, dropped, lost);
    }
  }

  async #withdraw(pool: FollowedPool, dropped: readonly PoolStep[], lost: readonly swaps.SwapRecord[]): Promise<void> {
    const { db, meters } = this.#deps;
    const { cursor, rows, inherited } = pool;
    const stored = [...lost, ...dropped.flatMap((step) => rows.get(keyOf(step)) ?? [])];
    for (const step of dropped) rows.delete(keyOf(step));
    for (const { signature } of lost) inherited.delete(signature);
    const withdrawn = await withdrawnOf(this.#deps, asRecords(stored), []);
    const outcome = await swaps.storeProvisional(db, cursor.pool, [], withdrawn);
    meters.swapsWithdrawn(outcome.withdrawn);
    const slot = highest(stored.map((row) => Number(row.slot)));
    if (slot !== null) this.#outdated.set(cursor.pool, slot);
    this.#noteLinks(pool);
  }

  /** Figures of pools that a fork took something from, once RPC has come as far as they were saved. */
  async #saveOutdated(): Promise<void> {
    for (const [address, slot] of this.#outdated) {
      if (this.#ear.tip <= slot) continue;
      const cursor = this.#pools.get(address)?.cursor;
      if (cursor === undefined || (await this.#saveByRpc(cursor, slot))) this.#outdated.delete(address);
    }
  }

  async #readMissed(): Promise<void> {
    const missed = this.#ear.takeMissed();
    await this.#pools.load([...new Set(missed.map(({ pool }) => pool))]);
    const found = await inParallel(POOLS_AT_ONCE, missed, async (missing) => {
      const pool = this.#pools.get(missing.pool);
      return pool === undefined || (await this.#readOne(pool, missing));
    });
    for (const { pool, slot } of missed.filter((_, index) => found[index] !== true)) await this.distrust([pool], slot);
  }

  /** Answers whether the transaction is known now. */
  async #readOne(pool: FollowedPool, missing: MissingTransaction): Promise<boolean> {
    if (missing.slot <= pool.tail.start.slot || pool.tail.has(missing.signature)) return true;
    try {
      const step = await readMissed(this.#deps, pool, missing);
      if (!step) return false;
      this.#deps.meters.filled(1);
      this.#add(pool, [step]);
      return true;
    } catch (error) {
      this.#deps.logger.warn({ err: error, ...missing }, 'a transaction that was not told of could not be read');
      return false;
    }
  }

  /** Reads the histories of pools that do not link. */
  async #fill(): Promise<void> {
    const now = performance.now();
    for (const [pool, since] of this.#looseSince) {
      if ((this.#pools.get(pool)?.tail.loose.length ?? 0) === 0) this.#looseSince.delete(pool);
      else if (since < now - LATE_MS) this.#distrustOne(pool, 0);
    }
    const due = [...this.#broken.keys()].flatMap((address) => this.#pools.get(address) ?? []);
    const turn = due.filter(({ nextAttempt }) => nextAttempt <= now).slice(0, POOLS_A_TURN);
    await inParallel(POOLS_AT_ONCE, turn, async (pool) => {
      this.#deps.heartbeat();
      try {
        await this.#fillOne(pool);
      } catch (error) {
        this.#deps.logger.warn({ err: error, pool: pool.cursor.pool }, 'the history of a pool could not be read');
        this.#deps.meters.poolFailed();
      }
    });
  }

  async #fillOne(pool: FollowedPool): Promise<void> {
    const attempt = pool.attempts++;
    pool.nextAttempt = performance.now() + Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
    const upTo = this.#broken.get(pool.cursor.pool) ?? 0;
    const wish = { united: attempt > 0, minContextSlot: upTo };
    const found = attempt < 2 && this.isTelling ? await readHistory(this.#deps, pool, wish) : null;
    if (found === null || found.isTooLong) return this.#settleByRpc(pool);
    this.#deps.meters.filled(found.steps.length);
    this.#add(pool, found.steps);
    if (pool.tail.loose.length > 0) return;
    // What it holds in the end is compared when it is settled.
    if (this.#broken.get(pool.cursor.pool) === upTo) this.#broken.delete(pool.cursor.pool);
    pool.changedSlot ??= pool.tail.start.slot;
  }

  /** As without a stream: proven piece by piece, and with a note of what is missing. */
  async #settleByRpc(pool: FollowedPool): Promise<void> {
    await this.#pools.ensureSupplies([pool]);
    const vault = (await readVaults(this.#deps, [vaultOf(pool)])).get(pool.cursor.pool);
    if (!vault || vault.slot <= pool.tail.start.slot) return;
    const open = { market: pool.market, supplyRaw: this.#pools.supplyOf(pool) };
    await settlePool(this.#deps, { cursor: pool.cursor, open, prices: this.#prices }, vault);
    await this.#pools.reload(pool);
    pool.isDirty = true;
    const upTo = this.#broken.get(pool.cursor.pool) ?? 0;
    if (pool.cursor.gap !== null || pool.tail.loose.length > 0 || vault.slot < upTo) return;
    this.#broken.delete(pool.cursor.pool);
    pool.attempts = 0;
    await this.#saveByRpc(pool.cursor, 0);
  }

  /** Saves the figures of a pool as RPC has it. Answers whether it has come as far as a slot. */
  async #saveByRpc(cursor: FollowedPool['cursor'], slot: number): Promise<boolean> {
    const { exchange, rpc } = this.#deps;
    const [open] = await readOpenPools(exchange, rpc.connection, [cursor]);
    if (open && open.state.slot < slot) return false;
    if (open) await saveFigures(this.#deps, [{ cursor, open, prices: this.#prices }], this.#prices);
    return true;
  }

  /** Stores what is new of all pools. Answers whether there was something. */
  async #store(): Promise<boolean> {
    const seen = this.#ear.takeSeen();
    const dirty = this.#pools.all().filter(({ isDirty }) => isDirty);
    if (dirty.length === 0) {
      if (seen.size > 0) await this.#noteSeen(seen);
      return seen.size > 0;
    }
    if (performance.now() - this.#pricedAt > PRICES_KEPT_MS) {
      this.#prices = createQuotePrices(this.#deps);
      this.#pricedAt = performance.now();
    }
    await this.#pools.ensureSupplies(dirty);
    for (const { cursor, tail, rows } of dirty) {
      reportUnread(
        this.#deps,
        cursor,
        tail.steps.filter((step) => !rows.has(keyOf(step))),
      );
    }
    const rows = await this.#price(dirty);
    const changes = dirty.flatMap(({ cursor, tail }) => {
      const slot = highest(tail.steps.map((step) => step.slot));
      if (slot === null) return [];
      const look = seen.get(cursor.pool);
      // Rounds that go by change must see one at once, also where the account is told of a moment later.
      const seenAs = look === undefined ? `traded in slot ${slot}` : look.hash;
      return [{ pool: cursor.pool, slot: Math.max(slot, look?.slot ?? 0), seen: seenAs }];
    });
    const stored = new Set(changes.map(({ pool }) => pool));
    const others = new Map([...seen].filter(([pool]) => !stored.has(pool)));
    if (others.size > 0) await this.#noteSeen(others);
    for (const { pool, slot } of changes) this.#noteChanged(pool, slot);
    this.#deps.meters.swapsStored(await marketStream.storeTails(this.#deps.db, changes, rows));
    await this.#saveFigures(dirty);
    for (const pool of dirty) pool.isDirty = false;
    return true;
  }

  /** Pool accounts that changed without a transaction of their vaults that is known yet. */
  async #noteSeen(seen: ReadonlyMap<string, SeenAccount>): Promise<void> {
    const changes = [...seen].map(([pool, { slot, hash }]) => ({ pool, slot, seen: hash }));
    await this.#pools.load([...seen.keys()]);
    for (const { pool, slot } of changes) this.#noteChanged(pool, slot);
    await marketStream.storeTails(this.#deps.db, changes, []);
  }

  #noteChanged(address: string, slot: number): void {
    const pool = this.#pools.get(address);
    if (pool && slot > pool.tail.start.slot) pool.changedSlot = Math.max(pool.changedSlot ?? 0, slot);
  }

  /** Rows of steps that have none yet, and of all others of their slots, whose places may have changed. */
  async #price(pools: readonly FollowedPool[]): Promise<NewSwap[]> {
    const batches = pools.flatMap((pool) => {
      const { cursor, tail, rows, inherited } = pool;
      const steps = tail.steps;
      const fresh = steps.filter((step) => !rows.has(keyOf(step)));
      if (fresh.length === 0) return [];
      const from = lowest(fresh.map(({ slot }) => slot)) ?? 0;
      const transactions = steps.filter(({ slot }) => slot >= from);
      const stored = asRecords([...rows.values(), ...inherited.values()].flat());
      for (const step of transactions) rows.set(keyOf(step), []);
      return [{ cursor, supplyRaw: this.#pools.supplyOf(pool), transactions, stored }];
    });
    const priced = await priceBatches(this.#prices, batches);
    for (const row of priced)
      this.#pools
        .get(row.pool)
        ?.rows.get(keyOf({ ...row, slot: Number(row.slot) }))
        ?.push(row);
    return priced;
  }

  async #saveFigures(pools: readonly FollowedPool[]): Promise<void> {
    const standings = pools.flatMap((pool) => this.#pools.standingOf(pool) ?? []);
    await saveStandings(this.#deps, standings, this.#prices);
    for (const { cursor, priceQuote, quoteVaultRaw, slot } of standings) {
      const pool = this.#pools.get(cursor.pool);
      if (pool) pool.cursor = { ...pool.cursor, priceQuote, quoteVaultRaw, stateSlot: BigInt(slot) };
    }
  }

  async #settleInTime(): Promise<void> {
    if (performance.now() - this.#settledAt < this.#deps.settings.settleEveryMs) return;
    this.#settledAt = performance.now();
    const finalized = await this.#readFinal();
    if (finalized === null) return;
    const due = this.#pools.all().filter((pool) => isDue(pool, finalized));
    const vaults = await this.#vaultsOf(due);
    await this.#price(due.filter(forgetUnpriced));
    const oldestOpen = this.#ear.oldestOpen();
    const spans = due.flatMap((pool) => {
      const { cursor } = pool;
      return this.#spanOf(pool, vaults.get(cursor.pool), oldestOpen.get(cursor.pool) ?? Infinity) ?? [];
    });
    const { pools, stored } = await marketStream.settleAll(this.#deps.db, spans);
    this.#deps.meters.swapsStored(stored);
    for (const { pool: address, untilSlot, baseRaw } of spans) {
      const pool = this.#pools.get(address);
      if (pool) await this.#noteSettled(pool, pools.has(address), Number(untilSlot), baseRaw);
    }
    await this.#noteFollowed(finalized);
  }

  /** The newest final slot by a quorum's word; null where there is none. */
  async #readFinal(): Promise<number | null> {
    try {
      const { slot } = await this.#deps.rpc.agreedHead('finalized');
      this.noteFinal(slot);
      return slot;
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'how far the chain is final could not be read; it is settled later');
      return null;
    }
  }

  async #vaultsOf(pools: readonly FollowedPool[]): Promise<ReadonlyMap<string, FinalizedVault>> {
    try {
      return await readVaults(this.#deps, pools.map(vaultOf));
    } catch (error) {
      this.#deps.logger.warn(
        { err: error, pools: pools.length },
        'vaults could not be read; what is final is settled later',
      );
      return new Map();
    }
  }

  async #noteSettled(pool: FollowedPool, isOurs: boolean, slot: number, raw: bigint): Promise<void> {
    pool.attempts = 0;
    pool.nextAttempt = 0;
    if (isOurs) this.#pools.moveTo(pool, slot, raw);
    else await this.#pools.reload(pool);
  }

  /** What is settled of a pool; null where its vault holds something else, and its history is read. */
  #spanOf(pool: FollowedPool, vault: FinalizedVault | undefined, oldestOpen: number): SettledSpan | null {
    const { cursor, tail, rows, inherited } = pool;
    if (!vault || vault.slot <= tail.start.slot || this.#broken.has(cursor.pool)) return null;
    if (!this.isTelling) {
      // Nobody told of everything that led there.
      this.#distrustOne(cursor.pool, 0);
      return null;
    }
    if (!this.#isWhole || vault.slot > this.#ear.tip || oldestOpen <= vault.slot) return null;
    const isInherited = [...inherited.values()]
      .flat()
      .some((row) => row.slot <= BigInt(vault.slot) && !tail.has(row.signature));
    const isLoose = tail.loose.some(({ slot }) => slot <= vault.slot);
    if (tail.rawAt(vault.slot) !== vault.raw || isInherited || isLoose) {
      this.#distrustOne(cursor.pool, 0);
      if (isInherited) inherited.clear();
      return null;
    }
    const settled = tail.linked.filter(({ slot }) => slot <= vault.slot).flatMap((step) => rows.get(keyOf(step)) ?? []);
    return {
      pool: cursor.pool,
      mint: cursor.mint,
      fromSlot: BigInt(tail.start.slot),
      untilSlot: BigInt(vault.slot),
      baseRaw: vault.raw,
      swaps: settled,
      highestCapUsd: highestMarketCap(settled, cursor.baseDecimals),
    };
  }

  /** A stream that begins again after this slot tells of everything that is not settled. */
  async #noteFollowed(finalized: number): Promise<void> {
    const told = this.#isWhole ? this.#ear.tip : -1;
    const open = this.#pools.all().filter(({ cursor }) => cursor.gap === null);
    if (open.some(({ cursor }) => this.#broken.has(cursor.pool))) return;
    const pending = open.flatMap(({ tail, changedSlot }) => [
      ...tail.steps.map(({ slot }) => slot),
      ...(changedSlot === null ? [] : [changedSlot]),
    ]);
    const first = lowest([...pending, ...this.#ear.oldestOpen().values()]) ?? Infinity;
    const settled = Math.min(finalized, Math.max(told, this.#comparedSlot), first - 1);
    if (settled <= this.#settled) return;
    this.#settled = settled;
    await marketStream.noteFollowed(this.#deps.db, settled);
  }

  /** How many finalized slots the oldest change waits for, and how many pools have a gap. */
  async state(): Promise<{ lagSlots: number; gaps: number }> {
    const { oldestChange, gaps } = await poolCursors.totals(this.#deps.db);
    const lag = oldestChange === null ? 0 : (await this.#deps.rpc.head('finalized')).slot - Number(oldestChange);
    return { lagSlots: Math.max(0, lag), gaps };
  }
}

/** A price of that time may have become known since. Answers whether there was a swap without one. */
function forgetUnpriced({ rows }: FollowedPool): boolean {
  const unpriced = [...rows].filter(([, found]) => found.some(({ quoteUsd }) => quoteUsd === null));
  for (const [key] of unpriced) rows.delete(key);
  return unpriced.length > 0;
}

function vaultOf({ cursor, market }: FollowedPool) {
  return { pool: cursor.pool, baseVault: market.baseVault };
}

function isDue({ tail, inherited, changedSlot }: FollowedPool, finalized: number): boolean {
  const first = tail.linked[0] ?? tail.loose[0];
  if (first !== undefined) return first.slot <= finalized;
  return (
    (changedSlot !== null && changedSlot <= finalized) ||
    [...inherited.values()].flat().some(({ slot }) => slot <= BigInt(finalized))
  );
}

/** Whether something of it is not settled. */
function isOpen({ tail, inherited, changedSlot }: FollowedPool): boolean {
  return !tail.isEmpty || inherited.size > 0 || changedSlot !== null;
}

function lowest(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((found, number) => (found === null ? number : Math.min(found, number)), null);
}

function highest(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((found, number) => (found === null ? number : Math.max(found, number)), null);
}

/** Rows as they lie in the database until they are final. */
function asRecords(rows: readonly NewSwap[]): swaps.SwapRecord[] {
  return rows.map((row) => ({ ...row, finalized: false }));
}
