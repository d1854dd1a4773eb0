import type { MarketDeps } from '../deps.ts';
import { KeptPrices } from './figures/kept-prices.ts';
import { FollowedPools } from './followed-pools.ts';
import { createObserving, type Observing } from './observed/observing.ts';
import { Liveness } from './observed/liveness.ts';
import type { WatchList } from './observed/watch-list.ts';
import { RereadQueue } from './ordered/reread-queue.ts';
import { Finality } from './settled/finality.ts';
import { FollowedMark } from './settled/followed-mark.ts';

export const POOLS_AT_ONCE = 8;

/** The states of the line's stages. Each is changed by its own class alone; stages read those before them. */
export interface Line {
  /** Monotonic clock, ms. */
  readonly now: () => number;
  readonly deps: MarketDeps;
  readonly observing: Observing;
  readonly liveness: Liveness;
  readonly pools: FollowedPools;
  readonly rereads: RereadQueue;
  readonly finality: Finality;
  readonly followed: FollowedMark;
  readonly prices: KeptPrices;
}

export function createLine(deps: MarketDeps, list: WatchList, now: () => number): Line {
  const observing = createObserving(list, deps.rpc, deps.exchange.tradedPart, now);
  const pools = new FollowedPools(deps.db, observing.supplies);
  return {
    now,
    deps: { ...deps, rpc: overheard(deps.rpc, observing) },
    observing,
    liveness: new Liveness(deps.settings.compareEveryMs, now),
    pools,
    rereads: new RereadQueue(pools, now),
    finality: new Finality(now),
    followed: new FollowedMark(),
    prices: new KeptPrices(deps, now),
  };
}

/** Observes RPC responses too: they reveal accounts that hold reward coins. */
function overheard(rpc: MarketDeps['rpc'], { held }: Observing): MarketDeps['rpc'] {
  return {
    ...rpc,
    async getTransactionResponse(...asked) {
      const response = await rpc.getTransactionResponse(...asked);
      if (response !== null) held.noteIn(response);
      return response;
    },
  };
}
