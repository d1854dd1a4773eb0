import type { ChainStream } from '../../chain/stream/chain-stream.ts';
import { createYellowstoneStream } from '../../chain/stream/yellowstone/yellowstone-stream.ts';
import type { WorkerConfig } from '../../config/worker.ts';

export interface MarketSource {
  /** Connects on first use; null: pools are polled. */
  readonly stream: ChainStream | null;
  /** Ends the index's activity, which would delay the end of the process by up to an hour. */
  readonly stop: AbortController;
  readonly websocketUrl: string;
}

export function createMarketSource({ market }: Pick<WorkerConfig, 'market'>, websocketUrl: string): MarketSource {
  return {
    stream: market.stream === null ? null : createYellowstoneStream(market.stream),
    stop: new AbortController(),
    websocketUrl,
  };
}
