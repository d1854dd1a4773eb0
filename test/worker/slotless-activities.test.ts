// Launches that nobody pays wait for a minute each. They hold no slot of a worker meanwhile, whatever their number.
import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LaunchFacts } from '../../activities/launch/activities.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { createActivityWorker, createQueueWorker, LANDINGS_AT_ONCE } from '../../worker/task-queues.ts';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { LAUNCH_WORKFLOW, launchStart } from '../../workflows/launch/messages.ts';
import { LANDINGS_TASK_QUEUE, LAUNCHES_TASK_QUEUE } from '../../workflows/task-queues.ts';
import { eventually } from '../support/platform/eventually.ts';
import { createNamespace } from '../support/platform/temporal-namespace.ts';

const logger = pino({ level: 'silent' });

const factsOf = (state: LaunchState): LaunchFacts => ({
  state,
  name: 'Waiting',
  symbol: 'WAIT',
  mode: 'standard',
  creator: 'creator',
  mint: 'mint',
  launchWallet: 'wallet',
  paymentSignature: 'signature',
  reason: state === 'not_landed' ? 'it was not paid' : null,
  blockedReason: null,
  parking: 0,
  transactions: [],
});

/** Tries that are under way, by the worker that they run in. */
const waiting = new Map<string, Set<string>>();
let release: PromiseWithResolvers<void> = Promise.withResolvers();

/** Follows a launch for as long as its payment may land, and ends when it is cancelled, as `landBundle` does. */
const landIn = (worker: string) => async (quoteId: string) => {
  const here = waiting.get(worker) ?? new Set();
  waiting.set(worker, here.add(quoteId));
  try {
    await Promise.race([release.promise, Context.current().cancelled]);
    return factsOf('not_landed');
  } finally {
    here.delete(quoteId);
  }
};

const countIn = (worker: string): number => waiting.get(worker)?.size ?? 0;

let client: Client;
let startFollower: (name: string) => Promise<{ stop(): Promise<void> }>;
const closers: (() => Promise<unknown>)[] = [];
const workers: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  const { address, namespace } = await createNamespace(logger);
  const [native, connection] = [await NativeConnection.connect({ address }), await Connection.connect({ address })];
  closers.push(
    () => native.close(),
    () => connection.close(),
  );
  client = new Client({ connection, namespace });
  const workflowBundle = await cachedWorkflowBundle(CACHE_DIRECTORY, logger);
  const deps = { connection: native, namespace, workflowBundle, shutdownGraceMs: 10, version: null };
  const open = { openLaunch: () => Promise.resolve(factsOf('landing')) };
  workers.push(runningOf(await createQueueWorker(LAUNCHES_TASK_QUEUE, { ...deps, activities: open })));
  startFollower = async (name) => {
    const activities = { landBundle: landIn(name) };
    const follower = runningOf(await createActivityWorker(LANDINGS_TASK_QUEUE, { ...deps, activities }));
    workers.push(follower);
    return follower;
  };
});
afterEach(() => {
  release.resolve();
  release = Promise.withResolvers();
});
afterAll(async () => {
  for (const worker of workers) await worker.stop();
  for (const close of closers.reverse()) await close();
});

function runningOf(worker: Worker): { stop(): Promise<void> } {
  const running = worker.run();
  return {
    stop: () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      return running;
    },
  };
}

const begin = (quoteId: string) => client.workflow.start(LAUNCH_WORKFLOW, launchStart(quoteId));

describe('launches that wait for a payment that does not come', () => {
  it('all wait at once, however few slots there are', async () => {
    const follower = await startFollower('first');
    const launches = await Promise.all(Array.from({ length: LANDINGS_AT_ONCE + 5 }, () => begin(randomUUID())));
    await eventually(
      () => Promise.resolve(countIn('first') === launches.length || null),
      'all launches to be followed',
    );
    release.resolve();
    for (const launch of launches) expect(await launch.result()).toMatchObject({ status: 'not_landed' });
    expect(countIn('first')).toBe(0);
    await follower.stop();
  });

  it('go on at once in another worker when theirs ends', async () => {
    const follower = await startFollower('leaving');
    const launch = await begin(randomUUID());
    await eventually(() => Promise.resolve(countIn('leaving') === 1 || null), 'the launch to be followed');
    await follower.stop();
    expect(countIn('leaving')).toBe(0);
    const { raw } = await launch.describe();
    // Not by the timeout of its heartbeat, which would take ten seconds.
    expect(raw.pendingActivities?.[0]).toMatchObject({
      lastFailure: { message: 'the worker ended; another one goes on' },
    });
    await startFollower('taking over');
    await eventually(() => Promise.resolve(countIn('taking over') === 1 || null), 'another worker to follow it');
    release.resolve();
    expect(await launch.result()).toMatchObject({ status: 'not_landed' });
  });

  it('are given up when their workflow is cancelled', async () => {
    const launch = await begin(randomUUID());
    await eventually(() => Promise.resolve(countIn('taking over') === 1 || null), 'the launch to be followed');
    await launch.cancel();
    await expect(launch.result()).rejects.toThrow('cancelled');
    await eventually(() => Promise.resolve(countIn('taking over') === 0 || null), 'the activity to hear of it');
  });
});
