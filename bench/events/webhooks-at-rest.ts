import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { connectThrough, createPool, type Db } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import * as endpoints from '../../db/events/webhook-endpoints.ts';
import { startWebhookReceiver } from '../../test/support/events/webhook-receiver.ts';
import { keepWebhooks } from '../../worker/events/keep-webhooks.ts';
import { createTally, totalOf } from '../calls/tally.ts';
import { addEndpoints } from './latency.ts';

/** While no event comes. */
export interface WebhooksAtRest {
  readonly endpoints: number;
  readonly seconds: number;
  readonly statements: number;
  /** Starts of deliveries that a worker asks Temporal for. */
  readonly starts: number;
  /** Runs of deliveries that Temporal has more than before, of a running worker. */
  readonly runs: number;
}

const SETTLE_MS = 10_000;

/** Counts what keeping webhooks costs this process, while a worker of the stack keeps the same ones. */
export async function measureRest(
  databaseUrl: string,
  temporal: Client,
  { endpoints: count, seconds }: Pick<WebhooksAtRest, 'endpoints' | 'seconds'>,
): Promise<WebhooksAtRest> {
  const tally = createTally();
  const pool = createPool(databaseUrl, { applicationName: 'slipway-bench', maxConnections: 4 });
  tally.watch(pool);
  const db = connectThrough(pool);
  const [receiver, stop] = [await startWebhookReceiver(), new AbortController()];
  let starts = 0;
  const start = async () => void starts++;
  const deps = { db, logger: pino({ level: 'warn' }, pino.destination(2)), now: () => new Date(), start };
  const ids = count === 0 ? [] : await addEndpoints(db, receiver.url, count, await eventLog.end(db));
  const keeping = tally.within('keeper', () => keepWebhooks(deps, stop.signal));
  try {
    await sleep(SETTLE_MS);
    tally.take();
    const before = await runsOf(temporal);
    starts = 0;
    await sleep(seconds * 1_000);
    const statements = totalOf(tally.take().sql);
    return { endpoints: count, seconds, statements, starts, runs: (await runsOf(temporal)) - before };
  } finally {
    stop.abort();
    await keeping;
    await removeAll(db, ids);
    await receiver.close();
    await db.destroy();
  }
}

async function runsOf(temporal: Client): Promise<number> {
  return (await temporal.workflow.count(`WorkflowType = 'webhook'`)).count;
}

async function removeAll(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await endpoints.remove(db, id);
}
