import type { StreamEvent } from '../../../chain/stream/chain-stream.ts';
import type { MarketDeps } from '../deps.ts';
import * as poolCursors from '../../../db/market/pool-cursors.ts';
import { compareAll } from './comparison.ts';
import { createFollowState, type FollowState } from './follow-state.ts';
import { Forks } from './forks.ts';
import { Intake } from './intake.ts';
import { Rereading } from './rereading.ts';
import { Settling } from './settling.ts';
import { Storing } from './storing.ts';
import type { StreamBuffer } from './stream-buffer.ts';
import type { WatchList } from './watch-list.ts';

/** Number of followed pools above which idle ones are dropped. */
const MOST_POOLS = 20_000;

/**
 * Turns stream events into rows. Each transaction must begin with the vault balance that the previous one left. If they
 * do not link, the history is read by RPC. Swaps settle once RPC shows the balance that they left, finalized.
 */
export class MarketFollower {
  readonly #state: FollowState;
  readonly #intake: Intake;
  readonly #forks: Forks;
  readonly #rereading: Rereading;
  readonly #storing: Storing;
  readonly #settling: Settling;

  constructor(deps: MarketDeps) {
    this.#state = createFollowState(deps);
    this.#intake = new Intake(this.#state);
    this.#forks = new Forks(this.#state);
    this.#rereading = new Rereading(this.#state, this.#intake);
    this.#storing = new Storing(this.#state);
    this.#settling = new Settling(this.#state);
  }

  get list(): WatchList {
    return this.#state.list;
  }

  get buffer(): StreamBuffer {
    return this.#state.buffer;
  }

  /** -1 if unknown. */
  get settledSlot(): number {
    return this.#state.finality.settled;
  }

  /** By RPC; -1 before its first response. */
  get finalSlot(): number {
    return this.#state.finality.final;
  }

  /** For plausibility only. */
  get presumedSlot(): number {
    return this.#state.finality.presumed;
  }

  get isWhole(): boolean {
    return this.#state.rereads.isWhole;
  }

  get backlog(): number {
    return this.buffer.waiting;
  }

  get allReadAt(): number {
    return this.#storing.allReadAt;
  }

  get isStreamLive(): boolean {
    return this.#state.finality.isStreamLive;
  }

  set isStreamLive(isStreamLive: boolean) {
    this.#state.finality.isStreamLive = isStreamLive;
  }

  follow(list: WatchList): void {
    this.#state.list = list;
  }

  receive(event: Exclude<StreamEvent, { kind: 'unreadable' }>): void {
    this.buffer.receive(event);
  }

  remember(pools: readonly string[]): Promise<void> {
    return this.#state.pools.load(pools);
  }

  noteFinal(slot: number): void {
    this.#state.finality.noteFinal(slot);
  }

  noteFirstAvailable(slot: number | null): void {
    this.#state.finality.noteFirstAvailable(slot);
  }

  resume(followedSlot: number | null): void {
    this.#state.finality.settled = followedSlot ?? -1;
  }

  requireChanged(pools: readonly string[]): Promise<void> {
    return this.#state.rereads.requireChanged(pools);
  }

  requireLater(pools: readonly string[]): void {
    this.#state.rereads.requireLater(pools, this.buffer.tip);
  }

  noteHole(): void {
    this.buffer.noteHole();
    this.#state.rereads.noteHole();
  }

  compareAll(closesHole: (comparedSlot: number) => boolean): Promise<void> {
    return compareAll(this.#state, closesHole);
  }

  async step(): Promise<boolean> {
    const tookIn = await this.#intake.takeIn();
    await this.#forks.follow();
    await this.#intake.readMissed();
    await this.#rereading.rereadDue();
    const stored = await this.#storing.store();
    await this.#settling.settleInTime();
    this.#state.pools.shed(MOST_POOLS);
    return tookIn || stored;
  }

  async state(): Promise<{ lagSlots: number; gaps: number }> {
    const { deps, buffer, finality } = this.#state;
    const { oldestChange, gaps } = await poolCursors.totals(deps.db);
    const final = Math.max(finality.final, buffer.book.finalized);
    const lag = oldestChange === null ? 0 : final - Number(oldestChange);
    return { lagSlots: Math.max(0, lag), gaps };
  }
}
