import type { Logger } from 'pino';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { ChainStream } from '../../chain/stream/chain-stream.ts';
import type { Db } from '../../db/connect.ts';

export interface MarketSettings {
  /** Between polls of all pools, ms. */
  readonly everyMs: number;
  /** How many pools without a trade for an hour each poll reads, in rotation. */
  readonly quietPools: number;
  /** Share of the graduation cap from which a token is about to graduate, bps. */
  readonly aboutToGraduateBps: number;
  /** Between two settlements, ms. One RPC call covers 100 pools with a stream, 33 without. */
  readonly settleEveryMs: number;
  /** Between comparisons of all pools with the chain while the stream is silent, ms. */
  readonly compareEveryMs: number;
  /** Transactions per read and store: a long backlog survives a restart. */
  readonly chunk: number;
}

export interface IndexState {
  readonly lagSlots: number;
  readonly gaps: number;
}

export interface MarketMeters {
  poolsRead(count: number): void;
  swapsStored(count: number): void;
  swapsWithdrawn(count: number): void;
  poolFailed(): void;
  unread(): void;
  polled(state: IndexState): void;
  streamed(state: StreamMeter): void;
  /** Transactions that the stream missed and RPC gave. */
  filled(count: number): void;
}

export interface StreamMeter {
  readonly isConnected: boolean;
  readonly pools: number;
  readonly slot: number;
  /** According to RPC. */
  readonly finalizedSlot: number;
  /** Slot up to which swaps are settled. */
  readonly settledSlot: number;
  readonly backlog: number;
  readonly updates: number;
}

export interface MarketDeps {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly exchange: Exchange;
  /** Spot, for display only. */
  readonly prices: PriceSource;
  /** Largest distance from the median of recent prices at which a price may set a permanent mark, bps. */
  readonly maxDeviationBps: number;
  readonly settings: MarketSettings;
  readonly meters: MarketMeters;
  /** Does nothing if the workflow runs. */
  readonly startIndex: () => Promise<void>;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly heartbeat: () => void;
  /** Null: pools are polled. */
  readonly stream: ChainStream | null;
  /**
   * Calls `onChange` with the address of a pool that may have changed, until `signal` aborts. The calls are hints and
   * never complete.
   */
  readonly listen: (onChange: (pool: string) => void, signal: AbortSignal) => Promise<void>;
  readonly cancellation: () => AbortSignal;
}
