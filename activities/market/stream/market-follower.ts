import type { StreamEvent } from '../../../chain/stream/chain-stream.ts';
import type { MarketDeps } from '../deps.ts';
import * as poolCursors from '../../../db/market/pool-cursors.ts';
import { compareAll } from './comparison.ts';
import { createFollowing, type Following } from './following.ts';
import { Forks } from './forks.ts';
import { Intake } from './intake.ts';
import { Mending } from './mending.ts';
import { Settling } from './settling.ts';
import { Storing } from './storing.ts';
import type { StreamEar } from './stream-ear.ts';
import type { WatchList } from './watch-list.ts';

/** Idle pools that are kept in mind. */
const MOST_POOLS = 20_000;

/**
 * Turns what a stream tells into rows. What a transaction leaves in a vault is where the next one must begin: where that does not
 * link, and only there, RPC is asked. What is final is settled once the vaults hold, by RPC and beyond any fork, what the
 * transactions leave in them: a hundred pools with a call.
 */
export class MarketFollower {
  readonly #following: Following;
  readonly #intake: Intake;
  readonly #forks: Forks;
  readonly #mending: Mending;
  readonly #storing: Storing;
  readonly #settling: Settling;

  constructor(deps: MarketDeps) {
    this.#following = createFollowing(deps);
    this.#intake = new Intake(this.#following);
    this.#forks = new Forks(this.#following);
    this.#mending = new Mending(this.#following, this.#intake);
    this.#storing = new Storing(this.#following);
    this.#settling = new Settling(this.#following);
  }

  get list(): WatchList {
    return this.#following.list;
  }

  get ear(): StreamEar {
    return this.#following.ear;
  }

  /** Everything up to this slot is settled; -1 where nobody knows. */
  get settledSlot(): number {
    return this.#following.reach.settled;
  }

  /** The newest final slot by RPC's word; -1 before somebody asked. */
  get finalSlot(): number {
    return this.#following.reach.final;
  }

  /** How far the chain is likely final: for what is plausible. */
  get presumedSlot(): number {
    return this.#following.reach.presumed;
  }

  /** False while there may be trades that nobody told of and nobody has looked for yet. */
  get isWhole(): boolean {
    return this.#following.doubts.isWhole;
  }

  /** Transactions that are not stored yet. */
  get backlog(): number {
    return this.ear.waiting;
  }

  /** When it was last said that somebody had read every pool, ms. */
  get allReadAt(): number {
    return this.#storing.allReadAt;
  }

  /** True while the stream tells of new slots: what it told up to there is worth waiting for. */
  get isTelling(): boolean {
    return this.#following.reach.isTelling;
  }

  set isTelling(isTelling: boolean) {
    this.#following.reach.isTelling = isTelling;
  }

  /** Begins to follow these pools. */
  follow(list: WatchList): void {
    this.#following.list = list;
  }

  hear(event: Exclude<StreamEvent, { kind: 'unreadable' }>): void {
    this.ear.hear(event);
  }

  /** Something of these pools is not settled; the stream will tell of it. */
  remember(pools: readonly string[]): Promise<void> {
    return this.#following.pools.load(pools);
  }

  /** Somebody asked RPC how far the chain is final. */
  noteFinal(slot: number): void {
    this.#following.reach.noteFinal(slot);
  }

  /** As `Reach.noteFirstAvailable`. */
  noteFirstAvailable(slot: number | null): void {
    this.#following.reach.noteFirstAvailable(slot);
  }

  /** Goes on from what is noted: everything up to this slot is settled. */
  resume(followedSlot: number | null): void {
    this.#following.reach.settled = followedSlot ?? -1;
  }

  /** Asks for the history of these pools, whatever the stream tells. */
  distrust(pools: readonly string[]): Promise<void> {
    return this.#following.doubts.distrust(pools);
  }

  /** Asks for it again when the stream must be telling of them. */
  distrustLater(pools: readonly string[]): void {
    this.#following.doubts.distrustLater(pools, this.ear.tip);
  }

  /** Something may have happened that nobody told of. */
  noteHole(): void {
    this.ear.noteHole();
    this.#following.doubts.noteHole();
  }

  /** As `compareAll` of comparison.ts. */
  compareAll(closesHole: (comparedSlot: number) => boolean): Promise<void> {
    return compareAll(this.#following, closesHole);
  }

  /** Does what there is to do. Answers whether there was something. */
  async step(): Promise<boolean> {
    const tookIn = await this.#intake.takeIn();
    await this.#forks.follow();
    await this.#intake.readMissed();
    await this.#mending.mend();
    const stored = await this.#storing.store();
    await this.#settling.settleInTime();
    this.#following.pools.shed(MOST_POOLS);
    return tookIn || stored;
  }

  /** How many finalized slots the oldest change waits for, and how many pools have a gap. */
  async state(): Promise<{ lagSlots: number; gaps: number }> {
    const { deps, ear, reach } = this.#following;
    const { oldestChange, gaps } = await poolCursors.totals(deps.db);
    const final = Math.max(reach.final, ear.book.finalized);
    const lag = oldestChange === null ? 0 : final - Number(oldestChange);
    return { lagSlots: Math.max(0, lag), gaps };
  }
}
