import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, type WorkflowBundle } from '@temporalio/worker';
import { freePort } from '../dev/stack/ports.ts';
import { findTemporalBinary } from '../dev/stack/temporal/find-binary.ts';
import { createQueueWorker } from '../worker/task-queues.ts';
import { benchCommand } from './bench-command.ts';

const RUNS = 40;
const STEPS = 3;
const POLL_RATE = 'history.transferProcessorMaxPollRPS=2000';

type Server = { readonly address: string; stop(): Promise<void> };

async function startServer(binary: string, settings: readonly string[]): Promise<Server> {
  const [port, httpPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const directory = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  const ports = ['--port', port, '--http-port', httpPort, '--metrics-port', metricsPort].map(String);
  const dynamic = settings.flatMap((setting) => ['--dynamic-config-value', setting]);
  const args = ['server', 'start-dev', '--headless', '--log-level', 'never', ...ports, ...dynamic];
  const child = spawn(binary, [...args, '--db-filename', join(directory, 'temporal.db')], { stdio: 'ignore' });
  return {
    address: `127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(directory, { recursive: true });
    },
  };
}

async function connectTo(address: string): Promise<NativeConnection> {
  for (let tries = 0; ; tries++) {
    try {
      const connection = await NativeConnection.connect({ address });
      await connection.workflowService.describeNamespace({ namespace: 'default' });
      return connection;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}

/** ms, ascending. */
async function measure(address: string, workflowBundle: WorkflowBundle): Promise<number[]> {
  const connection = await connectTo(address);
  const activities = { step: async (done: number) => done + 1 };
  const deps = { connection, namespace: 'default', workflowBundle, activities, shutdownGraceMs: 1_000, version: null };
  const worker = await createQueueWorker('launches', deps);
  const client = new Client({ connection });
  const times: number[] = [];
  await worker.runUntil(async () => {
    for (let run = 0; run < RUNS; run++) {
      const started = performance.now();
      await client.workflow.execute('steps', { taskQueue: 'launches', workflowId: `steps-${run}`, args: [STEPS] });
      times.push(performance.now() - started);
    }
  });
  await connection.close();
  // The first run waits for the pollers.
  return times.slice(1).sort((a, b) => a - b);
}

function figures(times: readonly number[]): { p50: number; p95: number } {
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}

async function main(): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const binary = await findTemporalBinary({
    cacheDirectory: join(import.meta.dirname, '../.data/cache'),
    path: process.env['PATH'] ?? '',
    onProgress: (text) => console.error(text),
    track: () => () => undefined,
  });
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, '../test/support/worker/workflows/steps.ts'),
    logger: new DefaultLogger('ERROR'),
  });
  const results: Record<string, { p50: number; p95: number }> = {};
  for (const [name, settings] of [
    ['default', []],
    ['raised', [POLL_RATE]],
  ] as const) {
    const server = await startServer(binary, settings);
    try {
      results[name] = figures(await measure(server.address, { code }));
    } finally {
      await server.stop();
    }
  }
  const ratio = (results['default']?.p50 ?? 0) / (results['raised']?.p50 ?? 1);
  console.log(JSON.stringify({ bench: 'temporal-step', steps: STEPS, runs: RUNS, unit: 'ms', ...results, ratio }));
}

benchCommand('temporal-step').parse();
await main();
