import type { ChainStream } from '../../chain/stream/chain-stream.ts';
import { createYellowstoneStream } from '../../chain/stream/yellowstone/yellowstone-stream.ts';
import type { WorkerConfig } from '../../config/worker.ts';

/** The stream of a worker process, and whether it is still to be followed. */
export interface Following {
  readonly stream: ChainStream;
  readonly signal: AbortSignal;
  /** Following has no end of its own, and must not hold up the end of the process. */
  end(): void;
}

const followings = new WeakMap<WorkerConfig, Following>();

/** The stream that this process follows the market by; null where none is configured. It connects when it is first followed. */
export function followingOf(config: WorkerConfig): Following | null {
  if (config.market.stream === null) return null;
  const known = followings.get(config);
  if (known) return known;
  const stop = new AbortController();
  const stream = createYellowstoneStream(config.market.stream);
  const following: Following = { stream, signal: stop.signal, end: () => stop.abort() };
  followings.set(config, following);
  return following;
}
