import { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config/worker.ts';
import type { Connections } from './connections.ts';
import { marketIndexStarter } from './market-starter.ts';
import { wakeMarketIndex } from './market-waker.ts';

/** Starts the index of the market where it does not run, and tells it of trades until `signal` fires. */
export async function keepMarketIndex(
  { temporal, solana, market }: WorkerConfig,
  connections: Pick<Connections, 'temporal' | 'db'>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const client = new Client({ connection: connections.temporal, namespace: temporal.namespace });
  try {
    await marketIndexStarter(client)();
  } catch (error) {
    // Launches do not wait for the market: the next round of the graduation starts it.
    logger.warn({ err: error }, 'the index of the market could not be started');
  }
  const { wsUrl = solana.rpcUrls[0].replace(/^http/, 'ws') } = solana;
  await wakeMarketIndex({ client, db: connections.db, wsUrl, pools: market.pushPools, logger }, signal);
}
