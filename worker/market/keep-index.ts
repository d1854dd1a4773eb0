import { startMarketIndex } from '../../workflows/market/messages.ts';
import type { Shared } from '../shared.ts';
import { followingOf } from './following.ts';
import { untilAborted, wakeMarketIndex } from './wake-index.ts';

/** Starts the index of the market where it does not run, and tells it of trades until `signal` fires. */
export async function keepMarketIndex({ client, db, logger, config }: Shared, signal: AbortSignal): Promise<void> {
  const { solana, market } = config;
  try {
    await startMarketIndex(client);
  } catch (error) {
    // Launches do not wait for the market: the next round of the graduation starts it.
    logger.warn({ err: error }, 'the index of the market could not be started');
  }
  const following = followingOf(config);
  if (following !== null) {
    await untilAborted(signal);
    following.end();
    return;
  }
  const { wsUrl = solana.rpcUrls[0].replace(/^http/, 'ws') } = solana;
  await wakeMarketIndex({ client, db, wsUrl, pools: market.pushPools, logger }, signal);
}
