import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import Value from 'typebox/value';
import { EventSchema } from '../../../api/events/events.schema.ts';
import { type Api, ApiError } from '../../../client/index.ts';
import * as endpoints from '../../../db/events/webhook-endpoints.ts';
import { oldest } from '../../../db/events/event-log.ts';
import type { Db } from '../../../db/connect.ts';
import type { IndexedEvent } from '../../support/events/event-index.ts';
import { type ReceivedWebhook, startWebhookReceiver, takes } from '../../support/events/webhook-receiver.ts';
import type { Dice } from './wishes.ts';

/** A program that reads events, is cut off at random, and goes on where it was. */
export interface Tapped {
  /** Takes the next event; called once for each that the program handles. */
  readonly handle: (event: IndexedEvent & { readonly id: string }) => void;
  readonly onCut: () => void;
  readonly dice: Dice;
}

/** The platform and the log that a tap reads. */
export interface Source {
  readonly api: Api;
  readonly db: Db;
}

/** Pause after a failure, while a part of the platform is away, ms. */
const AWAY_MS = 300;

/** Reads until the signal. Each resolves once nothing of it runs. */
export type Tap = (source: Source, tapped: Tapped, number: number, signal: AbortSignal) => Promise<void>;

/** `GET /events`: cut within a page, it handled the first events of it alone. */
const pull: Tap = async ({ api }, { handle, onCut, dice }, _, signal) => {
  for (let after = 'oldest'; !signal.aborted;) {
    const page = await api.ask('GET /events', { query: { after, limit: 1 + dice(100) }, signal }).catch(lostOrAway);
    if (page === 'lost') {
      after = 'oldest';
      continue;
    }
    if (page === 'away') {
      await pause(AWAY_MS, signal);
      continue;
    }
    const { events, pagination } = page;
    const handled = dice(4) === 0 ? events.slice(0, dice(events.length + 1)) : events;
    for (const event of handled) handle(event);
    const isCut = handled.length < events.length;
    if (isCut) onCut();
    after = isCut ? (handled.at(-1)?.id ?? after) : pagination.nextCursor;
    if (!isCut && !pagination.hasMore) await pause(500, signal);
  }
};

/** `GET /events/stream`: cut after some events, it connects again with the last one's id. */
const stream: Tap = async ({ api }, { handle, onCut, dice }, number, signal) => {
  let lastId = '';
  const read = async () => {
    const headers = { 'x-forwarded-for': `10.7.0.${number + 1}`, ...(lastId !== '' && { 'last-event-id': lastId }) };
    const response = await fetch(`${api.url}/events/stream?after=oldest`, { headers, signal });
    if (response.status === UNKNOWN_CURSOR) lastId = '';
    if (response.status !== 200 || !response.body) throw new Error(`the stream answered ${response.status}`);
    let left = 1 + dice(60);
    for await (const { id, event, data } of blocksOf(response.body)) {
      lastId = id ?? lastId;
      if (data === undefined || event === 'heartbeat') continue;
      handle(Value.Parse(EventSchema, JSON.parse(data)));
      if (--left === 0) return onCut();
    }
  };
  while (!signal.aborted) {
    await read().catch(() => null);
    await pause(AWAY_MS, signal);
  }
};

/** Fields of the blocks of server-sent events. */
async function* blocksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let rest = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fieldOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      yield { id: fieldOf('id'), event: fieldOf('event'), data: fieldOf('data') };
    }
  }
}

/** Most cuts of one receiver: each holds its deliveries for seconds, and it must reach the end of the log. */
const MOST_CUTS = 20;

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/** Null for a delivery that is dated minutes ago or ahead: it comes again with the date of then. */
function verified(verifier: Webhook, { body, headers }: ReceivedWebhook): unknown {
  try {
    return verifier.verify(body, headers);
  } catch (error) {
    if (error instanceof WebhookVerificationError && error.message.includes('timestamp')) return null;
    throw error;
  }
}

/**
 * A webhook receiver that refuses some events once, and breaks the connection once after it handled others: those come
 * again with the same id. An operator resumes it, as its pauses are longer than a campaign, and has it begin again after
 * a restore.
 */
const webhook: Tap = async ({ db }, { handle, onCut, dice }, number, signal) => {
  const receiver = await startWebhookReceiver();
  const [handled, cut, id] = [new Set<string>(), new Set<string>(), `wh_tap_${number}`];
  const verifier = new Webhook(SECRET);
  receiver.respond = (response) => {
    const sent = receiver.received.pop();
    if (!sent) throw new Error('a receiver responds to no request');
    const body = verified(verifier, sent);
    // As receivers do while the clock of the worker, which dates its deliveries, is minutes off.
    if (body === null) return void response.writeHead(400).end();
    const event = Value.Parse(EventSchema, body);
    const isCut = dice(20) === 0 && cut.size < MOST_CUTS && !cut.has(event.id);
    const isRefused = isCut && dice(2) === 0;
    if (!isRefused && !handled.has(event.id)) {
      handled.add(event.id);
      handle(event);
    }
    if (!isCut) return takes(response);
    cut.add(event.id);
    onCut();
    if (isRefused) response.writeHead(503).end();
    else response.destroy();
  };
  await endpoints.add(db, { id, url: receiver.url, secret: SECRET, filter: {}, place: await oldest(db) });
  while (!signal.aborted) {
    const endpoint = await orNull(endpoints.byId(db, id));
    if (endpoint !== null && isOfOlderLog(endpoint)) await orNull(replayAll(db, id));
    else if (endpoint !== null && endpoint.failures > 0) await orNull(endpoints.resume(db, id));
    await pause(AWAY_MS, signal);
  }
  await endpoints.remove(db, id);
  await receiver.close();
};

/** Whether it is paused for an operator to say where it goes on. */
function isOfOlderLog({ pausedBecause, failures }: endpoints.WebhookEndpoint): boolean {
  return pausedBecause !== null && failures === 0;
}

/** What an operator does after a restore. */
async function replayAll(db: Db, id: string): Promise<void> {
  await endpoints.replay(db, id, await oldest(db));
  await endpoints.resume(db, id);
}

export const TAPS = { pull, stream, webhook } as const;

/** The status of a cursor that the log does not know, as one of before a restore. */
const UNKNOWN_CURSOR = 404;

/** Whether the reader begins again, or a part of the platform is away. */
function lostOrAway(error: unknown): 'lost' | 'away' {
  return error instanceof ApiError && error.status === UNKNOWN_CURSOR ? 'lost' : 'away';
}

/** Null while a part of the platform is away. */
function orNull<Result>(asked: Promise<Result>): Promise<Result | null> {
  return asked.catch(() => null);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
