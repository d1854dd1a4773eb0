import type { Logger } from 'pino';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { ChainStream } from '../../chain/stream/chain-stream.ts';
import type { Db } from '../../db/connect.ts';

/** How the index works. */
export interface MarketSettings {
  /** Pause between two looks at all pools, ms. */
  readonly everyMs: number;
  /** Pools without a trade for an hour that a look takes in, in turn. */
  readonly quietPools: number;
  /** Share of the graduation cap from which a token is about to graduate, bps. */
  readonly aboutToGraduateBps: number;
  /** Least time between two times that what is final is settled, ms: each asks RPC once for a hundred pools that traded, by looks for 33. */
  readonly settleEveryMs: number;
  /** While the stream tells of no new slots all pools are compared with the chain this often, ms. */
  readonly compareEveryMs: number;
  /** Transactions of a pool that are read and stored at once, so that a long backlog survives a restart in pieces. */
  readonly chunk: number;
}

/** How far the index is behind. */
export interface IndexState {
  /** Finalized slots since the oldest change that is not settled; 0 where all are. */
  readonly lagSlots: number;
  /** Pools whose finalized history does not add up. */
  readonly gaps: number;
}

/** Counts what the index does; the metrics page shows it. */
export interface MarketMeters {
  poolsRead(count: number): void;
  swapsStored(count: number): void;
  swapsWithdrawn(count: number): void;
  /** The history of a pool could not be read this time; it is read again at the next look. */
  poolFailed(): void;
  /** A transaction moved a pool's vaults like a swap, and the exchange's decoder saw none in it. */
  unread(): void;
  /** All pools were looked at, and this is how the index stands. */
  looked(state: IndexState): void;
  /** How the stream stands, told every moment while one is followed. */
  streamed(state: StreamMeter): void;
  /** Transactions that the stream did not tell of were read by RPC. */
  filled(count: number): void;
}

/** How the stream that the market is followed by stands. */
export interface StreamMeter {
  /** It is open and tells of new slots. */
  readonly isConnected: boolean;
  /** Pools that are followed. */
  readonly pools: number;
  /** The newest slot whose transactions are stored. */
  readonly slot: number;
  /** The newest final slot by RPC's word. */
  readonly finalizedSlot: number;
  /** The newest slot up to which everything is settled. */
  readonly settledSlot: number;
  /** Transactions that were heard of and are not stored yet. */
  readonly backlog: number;
  /** Updates since the last time. */
  readonly updates: number;
}

/** What the index of the market uses from outside. */
export interface MarketDeps {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly exchange: Exchange;
  readonly prices: PriceSource;
  readonly settings: MarketSettings;
  readonly meters: MarketMeters;
  /** Starts the workflow of the index; does nothing where it runs. */
  readonly startIndex: () => Promise<void>;
  readonly now: () => Date;
  readonly logger: Logger;
  /** Tells Temporal that a long look is still going on. */
  readonly heartbeat: () => void;
  /** Where trades are heard of; null: pools are looked at. */
  readonly stream: ChainStream | null;
  /** Fires when the activity is to end. */
  readonly cancellation: () => AbortSignal;
}
