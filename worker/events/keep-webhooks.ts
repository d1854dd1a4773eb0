import type { Logger } from 'pino';
import type { Db } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import * as endpoints from '../../db/events/webhook-endpoints.ts';
import type { WebhookEndpoint } from '../../db/events/webhook-endpoints.ts';
import { toCursor } from '../../domain/events/event-cursor.ts';
import { type EventPlace, matches, type StoredEvent } from '../../domain/events/stored-event.ts';
import { pause } from '../../domain/pause.ts';

export interface WebhookKeeperDeps {
  readonly db: Db;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Starts the deliveries of an endpoint if they do not run. */
  readonly start: (endpointId: string) => Promise<void>;
}

/** How often the log is read while events come, ms: most of an event's way to a receiver. */
const EVERY_MS = 250;

/** How often it is read at rest: no event came for so long, and no endpoint is behind, ms. */
const [REST_EVERY_MS, REST_AFTER_MS] = [500, 10_000];

/** How often it is checked what operators changed of endpoints, ms. */
const LIST_MS = 5_000;

const FAILED_MS = 1_000;

/** How often every endpoint is checked by its own cursor, ms. */
const SWEEP_MS = 60_000;

/** Longest wait between two starts while a cursor stays where it is, ms. */
const MOST_WAIT_MS = 10_000;

const PAGE = 500;

/**
 * Starts the deliveries of endpoints that are behind the log, until `signal`. It reads the log once for all endpoints;
 * without new events no workflow is started. It polls: a notification would make all commits that notify wait for each
 * other, is lost behind a pooler of transactions, and says nothing about older open transactions.
 */
export async function keepWebhooks(deps: WebhookKeeperDeps, signal: AbortSignal): Promise<void> {
  const keeper = new WebhookKeeper(deps);
  let waitMs = 0;
  while (await pause(waitMs, signal)) {
    try {
      waitMs = await keeper.round();
    } catch (error) {
      keeper.forget();
      deps.logger.warn({ err: error }, 'the log of events or a webhook endpoint could not be checked');
      waitMs = FAILED_MS;
    }
  }
}

interface Start {
  readonly cursor: string;
  readonly at: number;
  /** Until the next start at this cursor, ms. */
  readonly waitMs: number;
}

export class WebhookKeeper {
  readonly #deps: WebhookKeeperDeps;
  /** Up to where the log was read for all endpoints; null: check each by its own cursor. */
  #place: EventPlace | null = null;
  #sweptAt = 0;
  /** Endpoints as they were read last. */
  #known: readonly WebhookEndpoint[] = [];
  #listedAt = 0;
  /** When the last event was read. */
  #activeAt = 0;
  /** Cursors behind which nothing was left. */
  readonly #quiet = new Map<string, string>();
  readonly #started = new Map<string, Start>();

  constructor(deps: WebhookKeeperDeps) {
    this.#deps = deps;
  }

  /** Checks each endpoint by its own cursor in the next round. */
  forget(): void {
    this.#place = null;
  }

  /** Reads on and starts what is due. Returns the pause before the next round, ms. */
  async round(): Promise<number> {
    const { db } = this.#deps;
    const now = this.#deps.now().getTime();
    const isListed = this.#place === null || now - this.#listedAt >= LIST_MS || this.#isAnyBehind();
    if (isListed) await this.#list(now);
    if (this.#known.length === 0) {
      this.forget();
      return LIST_MS;
    }
    const isSweep = this.#place === null || now - this.#sweptAt > SWEEP_MS;
    const page = await eventLog.readAfter(db, this.#place ?? (await eventLog.end(db)), {}, PAGE);
    this.#place = page.next;
    if (isSweep) this.#sweptAt = now;
    if (page.events.length > 0) this.#activeAt = now;
    // Their cursors may have been moved since they were read.
    if (!isListed && (isSweep || page.events.length > 0)) await this.#list(now);
    await this.#checkAll(isSweep ? null : page.events);
    return now - this.#activeAt < REST_AFTER_MS || this.#isAnyBehind() ? EVERY_MS : REST_EVERY_MS;
  }

  async #list(now: number): Promise<void> {
    this.#known = await endpoints.list(this.#deps.db);
    this.#listedAt = now;
  }

  /** Whether an endpoint is due that was not seen at the end of the log. */
  #isAnyBehind(): boolean {
    const now = this.#deps.now();
    return this.#known.some(
      (endpoint) => endpoints.isDue(endpoint, now) && this.#quiet.get(endpoint.id) !== toCursor(endpoint.place),
    );
  }

  async #checkAll(events: readonly StoredEvent[] | null): Promise<void> {
    const failures: unknown[] = [];
    for (const endpoint of this.#known) {
      // One endpoint's failure must not hold the others.
      await this.#check(endpoint, events).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, `of ${this.#known.length} endpoints`);
  }

  /** `events`: those since the last round; null for a sweep. */
  async #check(endpoint: WebhookEndpoint, events: readonly StoredEvent[] | null): Promise<void> {
    if (!endpoints.isDue(endpoint, this.#deps.now())) {
      this.#quiet.delete(endpoint.id);
      this.#started.delete(endpoint.id);
    } else if (events === null || this.#mayBeBehind(endpoint, events)) await this.#startIfBehind(endpoint);
  }

  #mayBeBehind({ id, place, filter }: WebhookEndpoint, events: readonly StoredEvent[]): boolean {
    return this.#quiet.get(id) !== toCursor(place) || events.some((event) => matches(event, filter));
  }

  async #startIfBehind(endpoint: WebhookEndpoint): Promise<void> {
    const { id, place } = endpoint;
    const cursor = toCursor(place);
    if (await this.#isUpToDate(endpoint)) {
      this.#quiet.set(id, cursor);
      this.#started.delete(id);
      return;
    }
    this.#quiet.delete(id);
    if (this.#isStartDue(id, cursor)) await this.#deps.start(id);
  }

  /**
   * A cursor that moved since the last round is being moved by deliveries. One that stays may be left by deliveries that
   * were ending at the last start, or wait for a slow receiver: then each further start waits longer.
   */
  #isStartDue(id: string, cursor: string): boolean {
    const now = this.#deps.now().getTime();
    const before = this.#started.get(id);
    if (before?.cursor !== cursor) {
      this.#started.set(id, { cursor, at: now, waitMs: EVERY_MS });
      return before === undefined;
    }
    if (now < before.at + before.waitMs) return false;
    this.#started.set(id, { cursor, at: now, waitMs: Math.min(MOST_WAIT_MS, before.waitMs * 2) });
    return true;
  }

  /** False also for a cursor that is too old: the deliveries pause the endpoint. */
  async #isUpToDate(endpoint: WebhookEndpoint): Promise<boolean> {
    const { db } = this.#deps;
    try {
      const { events, hasMore, next } = await eventLog.readAfter(db, endpoint.place, endpoint.filter, 1);
      if (events.length > 0 || hasMore) return false;
      // Once a day: a filter that matches little must not leave the cursor behind the kept days.
      if (next.day > endpoint.place.day) await endpoints.skip(db, endpoint, next);
      return true;
    } catch (error) {
      if (error instanceof eventLog.LostPlaceError) return false;
      throw error;
    }
  }
}
