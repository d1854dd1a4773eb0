import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import * as endpoints from '../../db/events/webhook-endpoints.ts';
import type { EventFilter, EventPlace } from '../../domain/events/stored-event.ts';
import { bookBurn } from '../../test/support/fee-sweep/revenue-rows.ts';
import { startWebhookReceiver, takes } from '../../test/support/events/webhook-receiver.ts';
import { quantile } from '../statistics.ts';
import { until } from '../until.ts';
import { openStream } from './stream-client.ts';

/** From the commit of a fact until a client has its event, ms. */
export interface Latency {
  readonly facts: number;
  readonly seconds: number;
  readonly stream: Quantiles;
  readonly webhook: Quantiles;
}

interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export interface LatencyPlan {
  readonly db: Db;
  readonly apiPort: number;
  /** A listed token, whose burns are the facts. */
  readonly mint: string;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Facts at the start that are not counted: connections and code are cold. */
const WARM_UP_SECONDS = 5;

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

type Times = Map<string, number>;

/** One stream and one webhook endpoint get all events meanwhile. */
export async function measureLatency(plan: LatencyPlan): Promise<Latency> {
  const { db, apiPort, perSecond, seconds } = plan;
  const [committed, streamed, posted]: readonly [Times, Times, Times] = [new Map(), new Map(), new Map()];
  const receiver = await startWebhookReceiver();
  receiver.respond = (response, nth) => {
    note(posted, receiver.received[nth - 1]?.body ?? '');
    takes(response);
  };
  const [id] = await addEndpoints(db, receiver.url, 1, await eventLog.end(db));
  const socket = await openStream({ port: apiPort }, (text) => note(streamed, text));
  try {
    await write(plan, committed);
    const all = perSecond * (seconds + WARM_UP_SECONDS);
    const isThere = async () => (streamed.size >= all && posted.size >= all ? true : null);
    await until(`all ${all} events on the stream and at the receiver`, isThere);
  } finally {
    socket.removeAllListeners('close').destroy();
    if (id !== undefined) await endpoints.remove(db, id);
    await receiver.close();
  }
  const counted = [...committed].slice(perSecond * WARM_UP_SECONDS);
  return { facts: counted.length, seconds, stream: latencyOf(counted, streamed), webhook: latencyOf(counted, posted) };
}

/** Returns their ids. */
export async function addEndpoints(
  db: Db,
  url: string,
  count: number,
  place: EventPlace,
  filter: EventFilter = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `bench_${randomUUID()}`);
  for (const id of ids) await endpoints.add(db, { id, url, secret: SECRET, filter, place });
  return ids;
}

/** Writes each fact at its time, whether the one before is committed or not. */
async function write({ db, mint, perSecond, seconds }: LatencyPlan, committed: Times): Promise<void> {
  const [begun, facts] = [performance.now(), perSecond * (seconds + WARM_UP_SECONDS)];
  const writing: Promise<void>[] = [];
  for (let fact = 0; fact < facts; fact++) {
    await sleep(Math.max(0, begun + (fact * 1_000) / perSecond - performance.now()));
    writing.push(
      bookBurn(db, mint, { amountRaw: 1n }).then((signature) => void committed.set(signature, performance.now())),
    );
  }
  await Promise.all(writing);
}

const SIGNATURE = /"signature":"([^"]+)"/;

function note(times: Times, text: string): void {
  const signature = SIGNATURE.exec(text)?.[1];
  if (signature !== undefined && !times.has(signature)) times.set(signature, performance.now());
}

function latencyOf(committed: readonly (readonly [string, number])[], received: Times): Quantiles {
  const all = committed.map(([signature, at]) => (received.get(signature) ?? Number.NaN) - at);
  return { p50: quantile(all, 0.5), p95: quantile(all, 0.95), max: quantile(all, 1) };
}
