import { startMarketIndex } from '../../workflows/market/messages.ts';
import type { Shared } from '../shared.ts';

/** Starts the market index if it does not run, and ends this worker's part of it once `signal` fires. */
export async function keepMarketIndex(
  { client, logger, marketSource }: Pick<Shared, 'client' | 'logger' | 'marketSource'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await startMarketIndex(client);
  } catch (error) {
    // The next graduation round starts it.
    logger.warn({ err: error }, 'the index of the market could not be started');
  }
  await untilAborted(signal);
  marketSource.stop.abort();
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
