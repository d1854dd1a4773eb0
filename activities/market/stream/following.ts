import type { MarketDeps } from '../deps.ts';
import { DoubtBook } from './doubt-book.ts';
import { FollowedPools } from './followed-pools.ts';
import { KeptPrices } from './kept-prices.ts';
import type { SaidFinal } from './pulse.ts';
import { StreamEar } from './stream-ear.ts';
import { WatchList } from './watch-list.ts';

/** Pools whose histories are read at once. */
export const POOLS_AT_ONCE = 8;

/** After so many slots, which are 15 minutes, RPC is asked how much of them is settled, whatever a server keeps. */
const MOST_UNASKED_SLOTS = 2_250;

/** How far the market was followed, in slots; -1 where nobody knows. */
export class Reach {
  #final = -1;
  #said: SaidFinal | null = null;
  #presumed = -1;
  #compared = -1;
  #leeway = 0;
  settled = -1;
  /** True while the stream tells of new slots: what it told up to there is worth waiting for. */
  isTelling = true;

  /** The newest final slot by RPC's word. */
  get final(): number {
    return this.#final;
  }

  /** RPC's last word of what is final; null before there was one. */
  get said(): SaidFinal | null {
    return this.#said;
  }

  noteFinal(slot: number): void {
    this.#final = Math.max(this.#final, slot);
    this.#said = { slot, at: performance.now() };
  }

  /** How far the chain is likely final: by RPC's word, or by a stream's that speaks for itself. It says what is plausible, and settles nothing. */
  get presumed(): number {
    return Math.max(this.#final, this.#presumed);
  }

  presume(slot: number): void {
    this.#presumed = Math.max(this.#presumed, slot);
  }

  /** So many slots that were told of need not be settled: a stream that begins again tells of them once more. */
  get leeway(): number {
    return this.#leeway;
  }

  /** A stream can begin with this slot now; null: with none that is over, and all pools are compared after a cut, whatever is settled. */
  noteFirstAvailable(slot: number | null): void {
    const kept = slot === null ? Infinity : this.#final - slot;
    this.#leeway = Math.min(kept / 2, MOST_UNASKED_SLOTS);
  }

  /** All pools were compared with the chain as of this slot. */
  get compared(): number {
    return this.#compared;
  }

  noteCompared(slot: number): void {
    this.#compared = Math.max(this.#compared, slot);
  }
}

/** What everything that follows the market shares. */
export interface Following {
  readonly deps: MarketDeps;
  readonly ear: StreamEar;
  readonly pools: FollowedPools;
  readonly doubts: DoubtBook;
  readonly prices: KeptPrices;
  readonly reach: Reach;
  /** The pools that are followed. */
  list: WatchList;
}

/** The same endpoints: where reward coins lie is told by what is asked of them, too. */
function overheard(rpc: MarketDeps['rpc'], ear: StreamEar): MarketDeps['rpc'] {
  return {
    ...rpc,
    async getTransactionResponse(...asked) {
      const response = await rpc.getTransactionResponse(...asked);
      if (response !== null) ear.noteAccounts(response);
      return response;
    },
  };
}

export function createFollowing(deps: MarketDeps): Following {
  const now = () => performance.now();
  const ear = new StreamEar(() => following.list, deps.exchange.tradedPart, now);
  const pools = new FollowedPools(deps, ear.supplies);
  const doubts = new DoubtBook(pools, now);
  const prices = new KeptPrices(deps);
  const overhearing = { ...deps, rpc: overheard(deps.rpc, ear) };
  const following: Following = {
    deps: overhearing,
    ear,
    pools,
    doubts,
    prices,
    reach: new Reach(),
    list: new WatchList(),
  };
  return following;
}
