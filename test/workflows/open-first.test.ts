import { ApplicationFailure } from '@temporalio/common';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createQueueWorker } from '../../worker/task-queues.ts';
import { CACHE_DIRECTORY, cachedWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { BUYBACK_ROUND } from '../../workflows/buyback/messages.ts';
import { FEE_SWEEP_ROUND } from '../../workflows/fee-sweep/messages.ts';
import { RESTOCK_ROUND } from '../../workflows/restock/messages.ts';
import { REWARD_ROUNDS } from '../../workflows/reward/messages.ts';
import { ROUNDS_TASK_QUEUE } from '../../workflows/task-queues.ts';
import { runRound } from '../support/platform/run-round.ts';
import { createNamespace } from '../support/platform/temporal-namespace.ts';

const logger = pino({ level: 'silent' });

/** What was carried out since the test began. */
let done: string[] = [];
const carryOut = (id: string) => {
  done.push(id);
  return Promise.resolve('done');
};
const failing = () => Promise.reject(ApplicationFailure.nonRetryable('a poisoned token'));
let sweeps = [[{ mint: 'open', number: 1, feeKeyMint: 'key' }]];

/** The steps of rounds of which each has one that is open, and none that can plan. */
const activities = {
  buybacksUnderWay: () => Promise.resolve(['open']),
  rankFlywheel: failing,
  buyBack: carryOut,
  openRestocks: () => Promise.resolve(['open']),
  planRestocks: failing,
  buyForInventory: carryOut,
  takeDueFeeSweeps: () => Promise.resolve(sweeps.shift() ?? []),
  planFeeSweeps: failing,
  sweepFees: ({ mint }: { mint: string }) => carryOut(mint),
  openRewardRounds: () => Promise.resolve(['open']),
  planRewardPage: failing,
  observeRewardHolders: () => Promise.resolve(null),
  collectRewards: () => Promise.resolve(),
  sellRewards: () => Promise.resolve(0),
  planRewardPayouts: () => Promise.resolve(),
  payRewards: carryOut,
};

let client: Client;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  const { address, namespace } = await createNamespace(logger);
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  const workflowBundle = await cachedWorkflowBundle(CACHE_DIRECTORY, logger);
  const worker = await createQueueWorker(ROUNDS_TASK_QUEUE, {
    connection: native,
    namespace,
    workflowBundle,
    activities,
    shutdownGraceMs: 10,
    version: null,
  });
  const running = worker.run();
  client = new Client({ connection, namespace });
  closers.push(
    () => connection.close(),
    () => native.close(),
    () => (worker.shutdown(), running),
  );
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

describe('what keeps a round from planning does not keep it from what is open', () => {
  it.each([BUYBACK_ROUND, RESTOCK_ROUND, FEE_SWEEP_ROUND, REWARD_ROUNDS])('$workflowType', async (round) => {
    done = [];
    sweeps = [[{ mint: 'open', number: 1, feeKeyMint: 'key' }]];
    await expect(runRound({ client }, round)).rejects.toMatchObject({
      cause: { cause: { message: 'a poisoned token' } },
    });
    await expect.poll(() => done).toEqual(['open']);
  });
});
