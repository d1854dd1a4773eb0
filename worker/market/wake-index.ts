import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Logger } from 'pino';
import { listenToPools } from '../../chain/market/pool-push.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import type { Db } from '../../db/connect.ts';
import { MARKET_INDEX_ID, poolsTradedSignal } from '../../workflows/market/messages.ts';

/** What is needed to wake the index of the market. */
export interface MarketWakerDeps {
  readonly client: Client;
  readonly db: Db;
  /** Solana websocket endpoint. */
  readonly wsUrl: string;
  /** Most pools that are listened to. */
  readonly pools: number;
  readonly logger: Logger;
}

/** Changes that are heard within this time go into one signal, ms. */
const GATHER_MS = 100;

/**
 * Listens to the pools that traded last and tells the index of each change, until `signal` fires. The index finds every
 * trade without it, later.
 */
export async function wakeMarketIndex(deps: MarketWakerDeps, signal: AbortSignal): Promise<void> {
  if (deps.pools === 0) return untilAborted(signal);
  const { db, logger, wsUrl } = deps;
  const heard = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    const pools = [...heard];
    heard.clear();
    signalIndex(deps, pools).catch((error: unknown) => {
      logger.warn({ err: error, pools: pools.length }, 'the market index could not be told of trades');
    });
  };
  await listenToPools(
    {
      url: wsUrl,
      pools: () => poolCursors.recent(db, deps.pools),
      onChange: (pool) => {
        heard.add(pool);
        timer ??= setTimeout(tell, GATHER_MS);
      },
      onTrouble: (error) => logger.warn({ err: error }, 'listening to pools failed; trades show at the next look'),
    },
    signal,
  );
  clearTimeout(timer);
}

async function signalIndex({ client }: MarketWakerDeps, pools: readonly string[]): Promise<void> {
  try {
    await client.workflow.getHandle(MARKET_INDEX_ID).signal(poolsTradedSignal, pools);
  } catch (error) {
    // It is about to be started; its first look finds what happened.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** Resolves when the signal fires. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
