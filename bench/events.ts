import { loadavg } from 'node:os';
import { Client, Connection } from '@temporalio/client';
import { createApi } from '../client/index.ts';
import { connect } from '../db/connect.ts';
import { wantsJson } from './bench-command.ts';
import { type IdleStreams, measureIdleStreams } from './events/idle-streams.ts';
import { type Latency, measureLatency } from './events/latency.ts';
import { measureRest, type WebhooksAtRest } from './events/webhooks-at-rest.ts';
import { type OwnStack, withOwnStack } from './own-stack.ts';
import { printedRows, say } from './printed-rows.ts';

// From a commit to clients, by stream and by webhook; idle streams; webhooks at rest. Run: node bench/events.ts [--json]

const { shown, end } = printedRows(wantsJson('events'));

const PER_SECOND = 100;
const SECONDS = 60;
const STREAMS = 2_000;
const ENDPOINTS = [0, 1, 10];
const REST_SECONDS = 30;

await withOwnStack(measure, { variables: { WEBHOOK_LOOPBACK: '1' } });

async function measure({ stack }: OwnStack): Promise<void> {
  const databaseUrl = stack.specOf('worker')?.env['DATABASE_URL'];
  if (databaseUrl === undefined) throw new Error('the stack has no worker');
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const temporal = new Client({ connection, namespace: stack.temporalNamespace });
  try {
    const latency = shown(await latencyOn(stack.apiUrl, databaseUrl), latencyRow);
    const rest: WebhooksAtRest[] = [];
    for (const endpoints of ENDPOINTS) {
      const measured = await measureRest(databaseUrl, temporal, { endpoints, seconds: REST_SECONDS });
      rest.push(shown(measured, restRow));
    }
    say(`opening ${STREAMS} streams …`);
    const idle = shown(await measureIdleStreams(databaseUrl, STREAMS), idleRow);
    end({ bench: 'events', latency, rest, idle });
  } finally {
    await connection.close();
  }
}

async function latencyOn(apiUrl: string, databaseUrl: string): Promise<Latency> {
  const { pairs } = await createApi({ url: apiUrl }).ask('GET /pairs', {});
  const [pair] = pairs;
  if (!pair) throw new Error('the stack lists no pair');
  const db = connect(databaseUrl, { applicationName: 'slipway-bench', maxConnections: 10 });
  try {
    say(`writing ${PER_SECOND} facts a second, load ${(loadavg()[0] ?? 0).toFixed(1)} …`);
    const apiPort = Number(new URL(apiUrl).port);
    return await measureLatency({ db, apiPort, mint: pair.mint, perSecond: PER_SECOND, seconds: SECONDS });
  } finally {
    await db.destroy();
  }
}

function latencyRow({ facts, seconds, stream, webhook }: Latency): string {
  const row = ({ p50, p95, max }: Latency['stream']) =>
    `p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, at most ${max.toFixed(0)} ms`;
  return `${facts} facts in ${seconds} s, commit → client by stream: ${row(stream)}; by webhook: ${row(webhook)}`;
}

function restRow({ endpoints, seconds, statements, starts, runs }: WebhooksAtRest): string {
  const perSecond = (statements / seconds).toFixed(1);
  return `${endpoints} webhook endpoints at rest: ${perSecond} statements a second, ${starts} starts, ${runs} runs of workflows in ${seconds} s`;
}

function idleRow({ streams, processes, bytes, core, received }: IdleStreams): string {
  const memory = (bytes / 1e6).toFixed(0);
  return `${streams} idle streams in ${processes} processes: ${memory} MB, ${(core * 100).toFixed(1)} % of a core, ${received.toFixed(0)} bytes a second each`;
}
