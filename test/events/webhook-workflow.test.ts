import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, WorkflowNotFoundError } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWebhookActivities } from '../../activities/events/webhooks.ts';
import { createPostWebhook } from '../../chain/http/post-webhook.ts';
import { createPublicAgent } from '../../chain/http/public-agent.ts';
import * as eventLog from '../../db/events/event-log.ts';
import * as endpoints from '../../db/events/webhook-endpoints.ts';
import { historyToJson } from '../../dev/history-json.ts';
import { WebhookKeeper } from '../../worker/events/keep-webhooks.ts';
import { createActivityWorker, createQueueWorker, WEBHOOKS_AT_ONCE } from '../../worker/task-queues.ts';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { startWebhook, testWebhook, webhookWorkflowId } from '../../workflows/events/messages.ts';
import { ROUNDS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE } from '../../workflows/task-queues.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { untilVisible } from '../support/events/read-events.ts';
import { startWebhookReceiver, takes, type WebhookReceiver } from '../support/events/webhook-receiver.ts';
import { captureLog } from '../support/platform/captured-log.ts';
import { eventually } from '../support/platform/eventually.ts';
import { createNamespace } from '../support/platform/temporal-namespace.ts';

const { db } = useDatabase();
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const ID = 'wh_1';
const log = captureLog();
const logger = pino({ level: 'debug' }, log.destination);
const agent = createPublicAgent({ connectMs: 20_000, loopback: true });

let receiver: WebhookReceiver;
let connection: NativeConnection;
let client: Client;
let workers: Worker[];
let running: Promise<unknown>;
beforeAll(async () => {
  const [received, { address, namespace }] = await Promise.all([startWebhookReceiver(), createNamespace(logger)]);
  receiver = received;
  connection = await NativeConnection.connect({ address });
  client = new Client({ connection, namespace });
  const activities = createWebhookActivities({
    db: db(),
    logger,
    now: () => new Date(),
    siteUrl: 'https://site.example',
    heartbeat: () => {},
    sleep,
    post: createPostWebhook(agent, 20_000),
    platform: [],
  });
  const workflowBundle = await cachedWorkflowBundle(CACHE_DIRECTORY, logger, 'plain');
  const parts = { connection, namespace, activities, shutdownGraceMs: 10, version: null };
  workers = [
    await createQueueWorker(ROUNDS_TASK_QUEUE, { ...parts, workflowBundle }),
    await createActivityWorker(WEBHOOKS_TASK_QUEUE, parts),
  ];
  running = Promise.all(workers.map((worker) => worker.run()));
});
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await connection.close();
  await agent.close();
  await receiver.close();
});

const write = async (mint: string) => {
  await sql`insert into events (type, mint, body)
    values ('switch.changed', ${mint}, '{"name":"launching","value":"off"}')`.execute(db());
  await untilVisible(db());
};
const described = () => client.workflow.getHandle(webhookWorkflowId(ID)).describe();
const untilEnded = () => client.workflow.getHandle(webhookWorkflowId(ID)).result();

it('a workflow exists only while there is something to deliver, and its history has no secret and no event', async () => {
  const keeper = new WebhookKeeper({
    db: db(),
    logger,
    now: () => new Date(),
    start: (endpointId) => startWebhook(client, endpointId),
  });
  await endpoints.add(db(), { id: ID, url: receiver.url, secret: SECRET, filter: {}, place: await eventLog.end(db()) });
  for (let n = 0; n < 3; n++) await keeper.round();
  await expect(described()).rejects.toBeInstanceOf(WorkflowNotFoundError);
  await write('first');
  await keeper.round();
  await untilEnded();
  expect(receiver.received).toHaveLength(1);
  const { runId, historyLength } = await described();
  for (let n = 0; n < 3; n++) await keeper.round();
  expect(await described()).toMatchObject({ runId, historyLength });
  await write('second');
  await keeper.round();
  await keeper.round();
  await untilEnded();
  expect(receiver.received).toHaveLength(2);

  const history = JSON.stringify(historyToJson(await client.workflow.getHandle(webhookWorkflowId(ID)).fetchHistory()));
  const payloads = [...history.matchAll(/"data":"([^"]+)"/g)].map(([, data = '']) => Buffer.from(data, 'base64'));
  const told = [history, ...payloads.map(String), log.text()].join('\n');
  expect(told).toContain(ID);
  for (const hidden of [SECRET, SECRET.slice('whsec_'.length), receiver.url, 'second'])
    expect(told).not.toContain(hidden);
});

it('a test message gets the response of the receiver, and is no event', async () => {
  const tested = await testWebhook(client, ID, 'example');
  expect(tested).toMatchObject({ status: 204, failure: null });
  const { headers, body } = receiver.received.at(-1)!;
  expect(headers['webhook-id']).toMatch(/^test_/);
  expect(JSON.parse(body)).toMatchObject({ type: 'webhook.test', id: headers['webhook-id'] });
});

it('receivers that do not respond delay themselves alone, however many they are', async () => {
  const slow = await startWebhookReceiver();
  const waiting: ServerResponse[] = [];
  slow.respond = (response) => void waiting.push(response);
  const ids = Array.from({ length: WEBHOOKS_AT_ONCE + 5 }, (_, index) => `slow_${index}`);
  const place = await eventLog.end(db());
  for (const id of ids) await endpoints.add(db(), { id, url: slow.url, secret: SECRET, filter: {}, place });
  await write('third');
  for (const id of ids) await startWebhook(client, id);
  await eventually(async () => (waiting.length === ids.length ? true : null), 'a delivery to each slow receiver');
  const before = receiver.received.length;
  await startWebhook(client, ID);
  await untilEnded();
  expect(receiver.received).toHaveLength(before + 1);
  waiting.forEach(takes);
  for (const id of ids) await client.workflow.getHandle(webhookWorkflowId(id)).result();
  await slow.close();
});
