import type { MarketDeps } from '../deps.ts';
import { RereadQueue } from './reread-queue.ts';
import { FollowedPools } from './followed-pools.ts';
import { KeptPrices } from './kept-prices.ts';
import type { SaidFinal } from './pulse.ts';
import { StreamBuffer } from './stream-buffer.ts';
import { WatchList } from './watch-list.ts';

export const POOLS_AT_ONCE = 8;

/** Longest time without a request to RPC (15 minutes), however many slots a stream server keeps. */
const MOST_UNASKED_SLOTS = 2_250;

export class FinalityTracker {
  #final = -1;
  #said: SaidFinal | null = null;
  #presumed = -1;
  #compared = -1;
  #leeway = 0;
  settled = -1;
  /** False while the stream is silent. */
  isStreamLive = true;

  get final(): number {
    return this.#final;
  }

  get said(): SaidFinal | null {
    return this.#said;
  }

  noteFinal(slot: number): void {
    this.#final = Math.max(this.#final, slot);
    this.#said = { slot, at: performance.now() };
  }

  /** Finalized slot by RPC, or by a self-consistent stream. Only to judge plausibility: it settles nothing. */
  get presumed(): number {
    return Math.max(this.#final, this.#presumed);
  }

  presume(slot: number): void {
    this.#presumed = Math.max(this.#presumed, slot);
  }

  /** Slots that may stay unsettled because a new stream can replay them. */
  get leeway(): number {
    return this.#leeway;
  }

  noteFirstAvailable(slot: number | null): void {
    const kept = slot === null ? Infinity : this.#final - slot;
    this.#leeway = Math.min(kept / 2, MOST_UNASKED_SLOTS);
  }

  get compared(): number {
    return this.#compared;
  }

  noteCompared(slot: number): void {
    this.#compared = Math.max(this.#compared, slot);
  }
}

export interface FollowState {
  readonly deps: MarketDeps;
  readonly buffer: StreamBuffer;
  readonly pools: FollowedPools;
  readonly rereads: RereadQueue;
  readonly prices: KeptPrices;
  readonly finality: FinalityTracker;
  list: WatchList;
}

/** Lets the buffer read RPC responses too: they reveal accounts that hold reward coins. */
function overheard(rpc: MarketDeps['rpc'], buffer: StreamBuffer): MarketDeps['rpc'] {
  return {
    ...rpc,
    async getTransactionResponse(...asked) {
      const response = await rpc.getTransactionResponse(...asked);
      if (response !== null) buffer.noteAccounts(response);
      return response;
    },
  };
}

export function createFollowState(deps: MarketDeps): FollowState {
  const now = () => performance.now();
  const buffer = new StreamBuffer(() => state.list, deps.exchange.tradedPart, now);
  const pools = new FollowedPools(deps, buffer.supplies);
  const rereads = new RereadQueue(pools, now);
  const prices = new KeptPrices(deps);
  const overhearing = { ...deps, rpc: overheard(deps.rpc, buffer) };
  const state: FollowState = {
    deps: overhearing,
    buffer,
    pools,
    rereads,
    prices,
    finality: new FinalityTracker(),
    list: new WatchList(),
  };
  return state;
}
