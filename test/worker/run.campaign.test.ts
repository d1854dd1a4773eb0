import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundle,
} from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runUntilStopped } from '../../worker/run.ts';
import { isPolling } from '../../worker/task-queues.ts';
import { createTestTemporal, type TestTemporal } from '../setup/temporal.ts';

const logger = pino({ level: 'silent' });
let temporal: TestTemporal;
let connection: NativeConnection;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  temporal = await createTestTemporal();
  connection = await NativeConnection.connect({ address: temporal.address });
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, '../support/worker/workflows/steps.ts'),
    logger: new DefaultLogger('ERROR'),
  });
  workflowBundle = { code };
});
afterAll(() => connection.close());

function createWorker(taskQueue: string, step: (count: number) => Promise<number>): Promise<Worker> {
  return Worker.create({ connection, taskQueue, workflowBundle, activities: { step }, shutdownGraceTime: '10s' });
}

async function untilPolling(worker: Worker): Promise<void> {
  while (!isPolling(worker)) await sleep(10);
}

describe('the worker runs until it is stopped', () => {
  it('and lets an activity that is under way finish', async () => {
    const taskQueue = temporal.unique('graceful');
    const begun = Promise.withResolvers<void>();
    let finished = false;
    const worker = await createWorker(taskQueue, async (count) => {
      begun.resolve();
      await sleep(500);
      finished = true;
      return count + 1;
    });
    const stop = new AbortController();
    const running = runUntilStopped({ workers: [worker], loops: [], logger }, stop.signal);
    await untilPolling(worker);
    const client = new Client({ connection });
    const handle = await client.workflow.start('steps', { taskQueue, workflowId: taskQueue, args: [1] });
    await begun.promise;
    stop.abort();
    await running;
    expect(finished).toBe(true);
    expect(isPolling(worker)).toBe(false);
    await handle.terminate();
  });

  it('and stops as a whole when a loop fails', async () => {
    const worker = await createWorker(temporal.unique('failing'), async (count) => count + 1);
    const failing = () => Promise.reject(new Error('the loop broke'));
    const never = new AbortController().signal;
    await expect(runUntilStopped({ workers: [worker], loops: [failing], logger }, never)).rejects.toThrow(
      'the loop broke',
    );
    expect(worker.getState()).toBe('STOPPED');
  });

  it('and says so when a loop ends that nobody stopped', async () => {
    const worker = await createWorker(temporal.unique('ending'), async (count) => count + 1);
    const ending = async () => undefined;
    const never = new AbortController().signal;
    await expect(runUntilStopped({ workers: [worker], loops: [ending], logger }, never)).rejects.toThrow(
      'ended without being asked to',
    );
  });

  it('tells its loops to end before it resolves', async () => {
    const worker = await createWorker(temporal.unique('loops'), async (count) => count + 1);
    let ended = false;
    const stop = new AbortController();
    const loop = (signal: AbortSignal) =>
      new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          ended = true;
          resolve();
        }),
      );
    const running = runUntilStopped({ workers: [worker], loops: [loop], logger }, stop.signal);
    await untilPolling(worker);
    stop.abort();
    await running;
    expect(ended).toBe(true);
  });
});
