import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import { toCursor } from '../../domain/events/event-cursor.ts';
import { type EventFilter, type EventPlace, matches, type StoredEvent } from '../../domain/events/stored-event.ts';
import { eventAnswers } from './event-page.ts';

export interface HubEvent {
  readonly event: StoredEvent;
  readonly text: string;
}

export class Subscriber {
  readonly #filter: EventFilter;
  #events: HubEvent[] = [];
  #missed = false;
  #wake: () => void = () => {};

  constructor(filter: EventFilter) {
    this.#filter = filter;
  }

  /** Queues events; beyond the bound it keeps nothing, and remembers that it has to read the log. */
  add(events: readonly HubEvent[]): void {
    const wanted = events.filter(({ event }) => matches(event, this.#filter));
    if (wanted.length === 0) return;
    if (this.#missed || this.#events.length + wanted.length > MOST_WAITING) return this.miss();
    this.#events.push(...wanted);
    this.#wake();
  }

  miss(): void {
    [this.#events, this.#missed] = [[], true];
    this.#wake();
  }

  /** Events since the last call; null if too many to keep. */
  take(): readonly HubEvent[] | null {
    const [taken, missed] = [this.#events, this.#missed];
    [this.#events, this.#missed] = [[], false];
    return missed ? null : taken;
  }

  /** Resolves when something came, when `wake` is called, or at the tick after `ms`. */
  async wait(ms: number): Promise<void> {
    if (this.#events.length > 0 || this.#missed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const beyondTick = (Date.now() + ms) % TICK_MS;
    const timer = setTimeout(resolve, ms + TICK_MS - beyondTick);
    await promise;
    clearTimeout(timer);
  }

  wake(): void {
    this.#wake();
  }
}

/**
 * Streams that wait are woken at multiples of this, ms: what they send together wakes this process, the proxy and clients
 * once, where each by itself would interrupt requests.
 */
const TICK_MS = 250;

/** Events that a stream keeps while its client reads. */
const MOST_WAITING = 500;

/** How often the log is read while a stream waits, ms. */
const EVERY_MS = 200;

/** Events of one read. */
const PAGE = 500;

/**
 * Reads new events once for all streams of a process, while there are any. It polls: a notification would make all
 * commits that notify wait for each other, and it says nothing about older open transactions.
 */
export class EventHub {
  readonly #db: Db;
  readonly #siteUrl: string;
  readonly #logger: FastifyBaseLogger;
  readonly #subscribers = new Set<Subscriber>();
  /** Where reading began; null while no stream is open. */
  #start: Promise<EventPlace> | null = null;

  constructor(db: Db, siteUrl: string, logger: FastifyBaseLogger) {
    this.#db = db;
    this.#siteUrl = siteUrl;
    this.#logger = logger;
  }

  /** Call it before reading the log up to its end: then no event lies between both. */
  async join(filter: EventFilter): Promise<Subscriber> {
    const subscriber = new Subscriber(filter);
    this.#subscribers.add(subscriber);
    const start = (this.#start ??= this.#begin());
    try {
      await start;
    } catch (error) {
      // Another stream may have begun again meanwhile: two readers would send each event twice.
      if (this.#start === start) this.#start = null;
      this.#subscribers.delete(subscriber);
      throw error;
    }
    return subscriber;
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  async #begin(): Promise<EventPlace> {
    const start = await eventLog.end(this.#db);
    void this.#read(start);
    return start;
  }

  async #read(start: EventPlace): Promise<void> {
    let place = start;
    while (this.#subscribers.size > 0) {
      try {
        const page = await eventLog.readAfter(this.#db, place, {}, PAGE);
        const events = await this.#encoded(page.events);
        for (const subscriber of this.#subscribers) subscriber.add(events);
        place = page.next;
        if (!page.hasMore) await sleep(EVERY_MS, undefined, { ref: false });
      } catch (error) {
        if (error instanceof eventLog.LostPlaceError) place = await this.#beginAgain(place);
        // The next read begins at the same place, so that streams miss nothing.
        this.#logger.warn({ err: error }, 'the log of events could not be read for the streams');
        await sleep(1_000, undefined, { ref: false });
      }
    }
    this.#start = null;
  }

  /** The log was renewed: each stream finds that its own place is lost, and ends. */
  async #beginAgain(place: EventPlace): Promise<EventPlace> {
    for (const subscriber of this.#subscribers) subscriber.miss();
    return eventLog.end(this.#db).catch(() => place);
  }

  async #encoded(events: readonly StoredEvent[]): Promise<readonly HubEvent[]> {
    const answers = await eventAnswers(this.#db, events, this.#siteUrl);
    return events.flatMap((event, index) => {
      const answer = answers[index];
      return answer ? [{ event, text: blockOf(answer) }] : [];
    });
  }
}

/** Encodes one event of a stream. JSON has no line break. */
export function blockOf(answer: { readonly id: string }): string {
  return `id: ${answer.id}\ndata: ${JSON.stringify(answer)}\n\n`;
}

/**
 * Encodes a sign of life. Its id moves the cursor that a client sends when it connects again. It has a name and JSON data,
 * because many libraries hand out every block, and their users parse it.
 *
 * @param place null: no event has been recorded
 */
export function heartbeatOf(place: EventPlace | null): string {
  const id = place === null ? '' : `id: ${toCursor(place)}\n`;
  return `event: heartbeat\n${id}data: {"type":"heartbeat"}\n\n`;
}
