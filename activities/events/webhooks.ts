import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { PostWebhook, WebhookResponse } from '../../chain/http/post-webhook.ts';
import type { Db } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import { eventMessages } from '../../db/events/event-messages.ts';
import * as endpoints from '../../db/events/webhook-endpoints.ts';
import type { WebhookEndpoint } from '../../db/events/webhook-endpoints.ts';
import { pauseSeconds, retryAfterSeconds } from '../../domain/events/webhook-schedule.ts';
import { webhookHeaders } from '../../domain/events/webhook-signature.ts';
import type { StoredEvent } from '../../domain/events/stored-event.ts';
import { whileAlive } from '../money/heartbeat-while.ts';
import { WebhookProgress } from './webhook-progress.ts';

export interface WebhookDeps {
  readonly db: Db;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly siteUrl: string;
  readonly heartbeat: () => void;
  /** Rejects if the activity is cancelled. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly post: PostWebhook;
  /** Ed25519 signatures by the platform's keys, newest first. */
  readonly platform: readonly ((bytes: Uint8Array) => Uint8Array)[];
}

/** How deliveries go on: at once, or when the worker starts them again. */
export type WebhookTurn = 'again' | 'end';

export interface TestedWebhook {
  /** Null without a response. */
  readonly status: number | null;
  /** Null where the message was taken. */
  readonly failure: string | null;
  readonly ms: number;
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** Events of one read. */
const PAGE = 50;

/** Length of one activity, ms: a pause by an operator takes effect within it. */
const TURN_MS = 20_000;

/** The only status by which a receiver ends its deliveries. */
const GONE = 410;

/** Input and result hold ids and numbers: secrets and events stay out of Temporal's histories. */
export function createWebhookActivities(deps: WebhookDeps) {
  const { db } = deps;
  return {
    /** Delivers in order until nothing is left, a delivery fails, or the time of one activity is over. */
    async deliverWebhooks(endpointId: string): Promise<WebhookTurn> {
      const until = deps.now().getTime() + TURN_MS;
      for (;;) {
        const endpoint = await endpoints.byId(db, endpointId);
        if (endpoint === null || !endpoints.isDue(endpoint, deps.now())) return 'end';
        const turn = await deliverPage(deps, endpoint, until);
        if (turn !== null) return turn;
        if (deps.now().getTime() >= until) return 'again';
      }
    },

    async sendTestWebhook(endpointId: string): Promise<TestedWebhook> {
      const began = deps.now();
      const id = `test_${randomUUID()}`;
      const body = JSON.stringify({ id, type: 'webhook.test', recordedAt: began.toISOString() });
      const endpoint = await endpoints.byId(db, endpointId);
      if (endpoint === null) return { status: null, failure: 'there is no such endpoint', ms: 0 };
      const secret = await endpoints.secretOf(db, endpointId);
      const response = await send(deps, { url: endpoint.url, secret }, { id, body });
      const ms = deps.now().getTime() - began.getTime();
      return { status: response.status, failure: isTaken(response) ? null : failureText(response), ms };
    },
  };
}

/** Delivers the next events. Null: there may be more. */
async function deliverPage(deps: WebhookDeps, endpoint: WebhookEndpoint, until: number): Promise<WebhookTurn | null> {
  const page = await readPage(deps, endpoint);
  if (page === null) return 'end';
  const progress = new WebhookProgress(deps, endpoint);
  const turn = await deliverEvents(deps, progress, page.events, until).catch(async (error: unknown) => {
    // An ending worker leaves nothing to deliver twice.
    await progress.record();
    throw error;
  });
  if (!(await progress.record())) return 'again';
  if (turn !== null) return turn;
  if (!page.hasMore) return page.events.length === 0 ? 'end' : null;
  if (page.events.length === 0) await endpoints.skip(deps.db, endpoint, page.next);
  return null;
}

/** Null once the receiver took them all. */
async function deliverEvents(
  deps: WebhookDeps,
  progress: WebhookProgress,
  events: readonly StoredEvent[],
  until: number,
): Promise<WebhookTurn | null> {
  if (events.length === 0) return null;
  const { id, url } = progress.endpoint;
  const secret = await endpoints.secretOf(deps.db, id);
  const messages = await eventMessages(deps.db, events, deps.siteUrl);
  for (const [index, message] of messages.entries()) {
    const event = events[index];
    if (!event || deps.now().getTime() >= until) return 'again';
    const response = await send(deps, { url, secret }, { id: message.id, body: JSON.stringify(message) });
    if (!isTaken(response)) return (await progress.record()) ? fail(deps, progress.endpoint, response) : 'again';
    if (!(await progress.take(event.place))) return 'again';
  }
  return null;
}

/** Null if events behind the cursor are no longer kept, which pauses the endpoint. */
async function readPage({ db, logger }: WebhookDeps, { id, place, filter }: WebhookEndpoint) {
  try {
    return await eventLog.readAfter(db, place, filter, PAGE);
  } catch (error) {
    if (!(error instanceof eventLog.LostPlaceError)) throw error;
    await endpoints.pause(db, id, 'its cursor is too old, or the log was restored: choose where to go on by a replay');
    logger.warn({ endpointId: id }, 'a webhook endpoint is paused: its cursor is too old');
    return null;
  }
}

/** Rejects when the activity is cancelled: an ending worker does not wait for a slow receiver. */
async function send(
  deps: WebhookDeps,
  { url, secret }: { readonly url: string; readonly secret: string },
  { id, body }: { readonly id: string; readonly body: string },
): Promise<WebhookResponse> {
  const { now, post, platform } = deps;
  const timestamp = Math.floor(now().getTime() / 1_000);
  const headers = webhookHeaders({ id, timestamp, body }, { secret, platform });
  return whileAlive(deps, post({ url, body, headers }));
}

function isTaken({ status }: WebhookResponse): boolean {
  return status !== null && status >= 200 && status < 300;
}

function failureText(response: WebhookResponse): string {
  if (response.status === null) return response.failure;
  const { status, location } = response;
  const isRedirect = status >= 300 && status < 400 && location !== undefined;
  return isRedirect ? `status ${status}: redirects are not followed; it leads to ${location}` : `status ${status}`;
}

/** Plans the next try, or pauses the endpoint. */
async function fail(deps: WebhookDeps, endpoint: WebhookEndpoint, response: WebhookResponse): Promise<WebhookTurn> {
  const { db, logger, now } = deps;
  const { id } = endpoint;
  const failures = endpoint.failures + 1;
  const lastFailure = failureText(response);
  const asked = response.status === null ? 0 : retryAfterSeconds(response.retryAfter, now());
  const seconds = response.status === GONE ? null : pauseSeconds(failures, asked);
  logger.warn({ endpointId: id, failures, pauseSeconds: seconds, status: response.status }, 'a webhook was not taken');
  const isNoted = await endpoints.failed(db, endpoint, { failures, lastFailure, pauseSeconds: seconds ?? 0 });
  if (isNoted && seconds === null) {
    await endpoints.pause(db, id, response.status === GONE ? 'the receiver responded 410' : `${failures} tries failed`);
  }
  return 'end';
}
