import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createWebhookActivities, type WebhookDeps } from '../../activities/events/webhooks.ts';
import { createPostWebhook } from '../../chain/http/post-webhook.ts';
import { createPublicAgent } from '../../chain/http/public-agent.ts';
import * as eventDays from '../../db/events/event-days.ts';
import * as eventLog from '../../db/events/event-log.ts';
import { eventMessages } from '../../db/events/event-messages.ts';
import * as endpoints from '../../db/events/webhook-endpoints.ts';
import { webhookLags } from '../../db/events/webhook-lag.ts';
import { toCursor } from '../../domain/events/event-cursor.ts';
import type { EventFilter, EventPlace } from '../../domain/events/stored-event.ts';
import { WebhookKeeper } from '../../worker/events/keep-webhooks.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { everyFact } from '../support/events/every-fact.ts';
import { readAll, untilVisible } from '../support/events/read-events.ts';
import { startWebhookReceiver, takes, type WebhookReceiver } from '../support/events/webhook-receiver.ts';

const { db } = useDatabase();
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const ID = 'wh_1';
const SITE = 'https://site.example';
const TIMEOUT_MS = 20_000;
const agent = createPublicAgent({ connectMs: TIMEOUT_MS, loopback: true });
const post = createPostWebhook(agent, TIMEOUT_MS);
const logger = pino({ level: 'silent' });

let receiver: WebhookReceiver;
let start: EventPlace;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await agent.destroy();
  await receiver.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.respond = takes;
  start = await eventLog.end(db());
});
afterEach(() => endpoints.remove(db(), ID));

const add = (filter: EventFilter = {}, url = receiver.url) =>
  endpoints.add(db(), { id: ID, url, secret: SECRET, filter, place: start });
const write = (mint: string) =>
  sql`insert into events (type, mint, body)
    values ('switch.changed', ${mint}, '{"name":"launching","value":"off"}')`.execute(db());
const writeAll = async (...names: string[]) => {
  for (const name of names) await write(name);
  await untilVisible(db());
};

function activities(changed: Partial<WebhookDeps> = {}) {
  const deps = {
    db: db(),
    logger,
    now: () => new Date(),
    siteUrl: SITE,
    heartbeat: () => {},
    sleep,
    post,
    platform: [],
  };
  return createWebhookActivities({ ...deps, ...changed });
}
const deliver = (changed: Partial<WebhookDeps> = {}) => activities(changed).deliverWebhooks(ID);
const endpoint = async () => (await endpoints.byId(db(), ID))!;
const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);
const mints = () => receiver.received.map(({ body }) => (JSON.parse(body) as { mint: string }).mint);

it('the official receiver accepts every type of event, in the order of the log, with the cursor as id', async () => {
  await everyFact(db());
  await untilVisible(db());
  await add();
  expect(await deliver()).toBe('end');
  const official = new Webhook(SECRET);
  const accepted = receiver.received.map(({ body, headers }) => official.verify(body, headers));
  const events = await readAll(db(), start);
  const messages = await eventMessages(db(), events, SITE);
  expect(accepted).toEqual(JSON.parse(JSON.stringify(messages)));
  expect(ids()).toEqual(events.map(({ place }) => toCursor(place)));
  for (const { headers, body } of receiver.received) {
    expect(() => new Webhook(`whsec_${Buffer.alloc(32, 6).toString('base64')}`).verify(body, headers)).toThrow('match');
  }
});

it('an event that is not taken stays the next one, and is delivered again with the same id', async () => {
  await add();
  await writeAll('a', 'b', 'c');
  receiver.respond = (response, nth) => response.writeHead(nth === 2 ? 500 : 200).end();
  expect(await deliver()).toBe('end');
  expect(mints()).toEqual(['a', 'b']);
  const failed = await endpoint();
  expect(failed).toMatchObject({ failures: 1, lastFailure: 'status 500', pausedBecause: null });
  expect(toCursor(failed.place)).toBe(ids()[0]);
  // Before its time nothing is sent.
  expect(await deliver()).toBe('end');
  expect(mints()).toEqual(['a', 'b']);
  const later = () => new Date(Date.now() + 10_000);
  expect(await deliver({ now: later })).toBe('end');
  expect(mints()).toEqual(['a', 'b', 'b', 'c']);
  expect(ids()[1]).toBe(ids()[2]);
  expect(await endpoint()).toMatchObject({ failures: 0, lastFailure: null, nextTryAt: null });
});

it('a worker that dies between the response and its record delivers the event again with the same id', async () => {
  await add();
  await writeAll('a', 'b');
  const dying: WebhookDeps['post'] = async (sent) => {
    await post(sent);
    throw new Error('the worker died');
  };
  await expect(deliver({ post: dying })).rejects.toThrow('the worker died');
  await deliver();
  expect(mints()).toEqual(['a', 'a', 'b']);
  expect(ids()[0]).toBe(ids()[1]);
});

it('a receiver sees only the events of its filter, and the cursor moves over the others', async () => {
  await add({ mint: 'b' });
  await writeAll('a', 'b', 'c', 'b');
  await deliver();
  expect(mints()).toEqual(['b', 'b']);
});

it('410 pauses at once, ten failures pause in the end, and Retry-After is honoured', async () => {
  await add();
  await writeAll('a');
  receiver.respond = (response) => response.writeHead(503, { 'retry-after': '900' }).end();
  await deliver();
  const waits = ((await endpoint()).nextTryAt?.getTime() ?? 0) - Date.now();
  expect(waits).toBeGreaterThan(800_000);
  for (let days = 1; days <= 9; days++) {
    await deliver({ now: () => new Date(Date.now() + days * 86_400_000 + 3_600_000) });
    await sql`update webhook_endpoints set next_try_at = now() where failures > 0`.execute(db());
  }
  expect(await endpoint()).toMatchObject({ failures: 10, pausedBecause: '10 tries failed' });
  expect(await deliver()).toBe('end');
  expect(receiver.received).toHaveLength(10);
  await endpoints.resume(db(), ID);
  receiver.respond = (response) => response.writeHead(410).end();
  await deliver();
  expect(await endpoint()).toMatchObject({ failures: 1, pausedBecause: 'the receiver responded 410' });
  const [lag] = await webhookLags(db());
  expect(lag?.oldest).toBeInstanceOf(Date);
});

it('a redirect is not followed, and its failure says where to; a body is not waited for, and a response only for its time', async () => {
  await add();
  await writeAll('a');
  receiver.respond = (response) => response.writeHead(307, { location: '//www.receiver.example/ho ok' }).end();
  await deliver();
  const lastFailure = 'status 307: redirects are not followed; it leads to http://www.receiver.example/ho%20ok';
  expect(await endpoint()).toMatchObject({ failures: 1, lastFailure });
  expect(receiver.received).toHaveLength(1);
  await endpoints.resume(db(), ID);
  for (const sent of ['', 'x'.repeat(100_000)]) {
    await endpoints.replay(db(), ID, start);
    receiver.respond = (response) => void response.writeHead(200).write(`x${sent}`);
    await deliver({ post: createPostWebhook(agent, 500) });
    expect(await endpoint()).toMatchObject({ failures: 0 });
  }
  await endpoints.replay(db(), ID, start);
  receiver.respond = () => {};
  await deliver({ post: createPostWebhook(agent, 100) });
  expect((await endpoint()).lastFailure).toContain('timeout');
});

it('an ending worker does not wait for a slow receiver, which is no failure of the receiver', async () => {
  await add();
  await writeAll('a');
  const arrived = Promise.withResolvers<void>();
  receiver.respond = () => arrived.resolve();
  const cancelled = () => arrived.promise.then(() => Promise.reject(new Error('cancelled')));
  await expect(deliver({ sleep: cancelled })).rejects.toThrow('cancelled');
  expect(await endpoint()).toMatchObject({ failures: 0, nextTryAt: null });
  receiver.respond = takes;
  await deliver();
  expect(mints()).toEqual(['a', 'a']);
});

it('an ending worker records what was taken before, so that only the event on its way is delivered again', async () => {
  await add();
  await writeAll('a', 'b', 'c');
  const ending: WebhookDeps['post'] = (sent) =>
    sent.body.includes('"mint":"c"') ? Promise.reject(new Error('cancelled')) : post(sent);
  // Time stands still: no record is due before the end.
  const now = new Date();
  await expect(deliver({ post: ending, now: () => now })).rejects.toThrow('cancelled');
  expect(toCursor((await endpoint()).place)).toBe(ids()[1]);
  await deliver();
  expect(mints()).toEqual(['a', 'b', 'c']);
});

it('a replay during a delivery is not undone by it', async () => {
  await add();
  await writeAll('a', 'b');
  let isReplayed = false;
  // Time passes with each look at the clock: every event is recorded before the next one is sent.
  let at = Date.now();
  const now = () => new Date((at += 200));
  const replaying: WebhookDeps['post'] = async (sent) => {
    const response = await post(sent);
    if (mints().at(-1) === 'b' && !isReplayed) {
      isReplayed = await endpoints.replay(db(), ID, start);
    }
    return response;
  };
  expect(await deliver({ post: replaying, now })).toBe('again');
  await deliver();
  expect(mints()).toEqual(['a', 'b', 'a', 'b']);
});

it('a cursor that is too old pauses the endpoint until an operator chooses a place', async () => {
  await add();
  await eventDays.renew(db());
  expect(await deliver()).toBe('end');
  expect((await endpoint()).pausedBecause).toContain('its cursor is too old');
  start = await eventLog.end(db());
});

it('the worker starts deliveries only for endpoints that have an event to get and are due', async () => {
  const started: string[] = [];
  const begin = (id: string) => Promise.resolve(void started.push(id));
  let at = Date.now();
  const keeper = new WebhookKeeper({ db: db(), logger, now: () => new Date(at), start: begin });
  expect(await keeper.round()).toBe(5_000);
  await add({ mint: 'wanted' });
  for (let n = 0; n < 3; n++) expect(await keeper.round()).toBe(500);
  await writeAll('other');
  for (let n = 0; n < 3; n++) await keeper.round();
  expect(started).toEqual([]);
  await writeAll('wanted');
  await keeper.round();
  expect(started).toEqual([ID]);
  // A failed delivery is tried again when it is due.
  receiver.respond = (response) => response.writeHead(500).end();
  await deliver();
  await keeper.round();
  expect(started).toEqual([ID]);
  at += 10_000;
  await keeper.round();
  expect(started).toEqual([ID, ID]);
  receiver.respond = takes;
  await deliver({ now: () => new Date(at) });
  await keeper.round();
  await keeper.round();
  expect(started).toEqual([ID, ID]);
  // Events of the pause are delivered after it.
  await endpoints.pause(db(), ID, 'by test');
  await writeAll('wanted');
  await keeper.round();
  await endpoints.resume(db(), ID);
  at += 5_000;
  await keeper.round();
  expect(started).toEqual([ID, ID, ID]);
});

it('at rest the log is read twice a second and endpoints every 5 s, over the check of each minute too, and an event is found by the next read', async () => {
  let [at, statements] = [Date.now(), 0];
  const counted = db().withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const started: string[] = [];
  const begin = async (id: string) => void started.push(id);
  const keeper = new WebhookKeeper({ db: counted, logger, now: () => new Date(at), start: begin });
  await add();
  at += await keeper.round();
  const [begun, before] = [at, statements];
  // The last round checks the endpoint by its own cursor, as one of each minute does.
  while (at <= begun + 60_000) at += await keeper.round();
  const [reads, lists, checks] = [121, 13, 1];
  expect([at - begun, statements - before]).toEqual([60_500, reads + lists + checks]);
  expect(started).toEqual([]);
  await writeAll('a');
  expect(await keeper.round()).toBe(250);
  expect(started).toEqual([ID]);
});

it('the failure of one endpoint holds no other one', async () => {
  const started: string[] = [];
  const begin = (id: string) => {
    if (id === 'wh_0') return Promise.reject(new Error('not started'));
    return Promise.resolve(void started.push(id));
  };
  const first = { id: 'wh_0', url: receiver.url, secret: SECRET, filter: {}, place: start };
  await endpoints.add(db(), first);
  await add();
  await writeAll('a');
  const keeper = new WebhookKeeper({ db: db(), logger, now: () => new Date(), start: begin });
  await expect(keeper.round()).rejects.toMatchObject({ errors: [new Error('not started')] });
  await endpoints.remove(db(), first.id);
  expect(started).toEqual([ID]);
});

it('deliveries that wait for a slow receiver are started again ever more seldom', async () => {
  const started: number[] = [];
  let at = Date.now();
  const begun = at;
  const begin = () => Promise.resolve(void started.push(at - begun));
  const keeper = new WebhookKeeper({ db: db(), logger, now: () => new Date(at), start: begin });
  await add();
  await writeAll('a', 'b');
  for (; at <= begun + 8_000; at += 250) await keeper.round();
  expect(started).toEqual([0, 250, 750, 1_750, 3_750, 7_750]);
});

it('reads on over more events than one read examines, when its filter leaves them out', async () => {
  await add({ mint: 'busy', types: ['switch.changed'] });
  await sql`insert into events (type, mint, body)
    select 'pair.added', 'busy', '{"symbol":"S","name":"n","category":"c"}' from generate_series(1, 2100)`.execute(
    db(),
  );
  await writeAll('busy');
  expect(await deliver()).toBe('end');
  expect(mints()).toEqual(['busy']);
});

it('moves the cursor of an endpoint that nothing concerns once a day, so that it never gets too old', async () => {
  const yesterday = { ...start, day: start.day - 1 };
  await endpoints.add(db(), { id: ID, url: receiver.url, secret: SECRET, filter: { mint: 'none' }, place: yesterday });
  await writeAll('other');
  const begun: string[] = [];
  const begin = async (id: string) => void begun.push(id);
  const keeper = new WebhookKeeper({ db: db(), logger, now: () => new Date(), start: begin });
  await keeper.round();
  expect((await endpoint()).place).toEqual(await eventLog.end(db()));
  expect(begun).toEqual([]);
});
