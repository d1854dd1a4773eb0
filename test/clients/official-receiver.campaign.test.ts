import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWebhookActivities } from '../../activities/events/webhooks.ts';
import { createPostWebhook } from '../../chain/http/post-webhook.ts';
import { createPublicAgent } from '../../chain/http/public-agent.ts';
import * as endpoints from '../../db/events/webhook-endpoints.ts';
import * as eventLog from '../../db/events/event-log.ts';
import { EVENT_TYPES } from '../../domain/events/event-types.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { everyFact } from '../support/events/every-fact.ts';
import { untilVisible } from '../support/events/read-events.ts';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/events/webhook-receiver.ts';
import { INSTALL_MS, pythonWith } from '../support/python.ts';

const { db } = useDatabase();
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const ID = 'wh_1';
const agent = createPublicAgent({ connectMs: 20_000, loopback: true });

let python: string;
let receiver: WebhookReceiver;
beforeAll(async () => {
  python = join(await pythonWith(join(import.meta.dirname, 'requirements.txt'), 'python'), 'python');
  receiver = await startWebhookReceiver();
}, INSTALL_MS);
afterAll(async () => {
  await agent.destroy();
  await receiver?.close();
});

/** Delivers every event of the log at this time. */
async function delivered(now: () => Date): Promise<ReceivedWebhook[]> {
  receiver.received.length = 0;
  const place = await eventLog.oldest(db());
  await endpoints.add(db(), { id: ID, url: receiver.url, secret: SECRET, filter: {}, place });
  const activities = createWebhookActivities({
    db: db(),
    logger: pino({ level: 'silent' }),
    now,
    siteUrl: 'https://site.example',
    heartbeat: () => {},
    sleep,
    post: createPostWebhook(agent, 20_000),
    platform: [() => new Uint8Array(64)],
  });
  while ((await activities.deliverWebhooks(ID)) === 'again');
  await endpoints.remove(db(), ID);
  return [...receiver.received];
}

/** Returns the verdict of Python's library on each delivery. */
function judged(deliveries: readonly ReceivedWebhook[], secret = SECRET): string[] {
  const input = deliveries.map(({ headers, body }) => JSON.stringify({ secret, headers, body })).join('\n');
  const { stdout, stderr } = spawnSync(python, [join(import.meta.dirname, 'official_receiver.py')], { input });
  expect(String(stderr)).toBe('');
  return String(stdout).trim().split('\n');
}

it('the official receiver in Python accepts every type of event, and refuses a wrong secret, an old timestamp and a replay', async () => {
  await everyFact(db());
  await untilVisible(db());
  const fresh = await delivered(() => new Date());
  expect(new Set(fresh.map(({ body }) => (JSON.parse(body) as { type: string }).type)).size).toBe(EVENT_TYPES.length);
  expect(new Set(judged(fresh))).toEqual(new Set(['accepted']));
  expect(new Set(judged(fresh, OTHER_SECRET))).toEqual(new Set(['No matching signature found']));

  const tenMinutes = 600_000;
  const old = await delivered(() => new Date(Date.now() - tenMinutes));
  expect(old).toHaveLength(fresh.length);
  expect(new Set(judged(old))).toEqual(new Set(['Message timestamp too old']));
  // A replay of an old delivery under a new time or under another event's id.
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const renewed = old.map(({ headers, body }) => ({ body, headers: { ...headers, 'webhook-timestamp': timestamp } }));
  const renamed = fresh.map(({ headers, body }) => ({ body, headers: { ...headers, 'webhook-id': 'WzEsIjciXQ' } }));
  expect(new Set(judged([...renewed, ...renamed]))).toEqual(new Set(['No matching signature found']));
});
