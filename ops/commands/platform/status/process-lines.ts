import type { Client } from '@temporalio/client';
import { errorTextWithCauses } from '../../../../domain/error-text.ts';
import { TASK_QUEUES, WATCH_TASK_QUEUE } from '../../../../workflows/task-queues.ts';
import { type StatusLine, WORKER_REMEDY } from './line.ts';

/** Longest wait for a process that does not answer, in ms: it asks its own parts for up to two seconds. */
const TIMEOUT_MS = 4_000;

/** Processes of which nothing answers at their address, or that say of themselves that they lack something. */
export async function processLines(subject: 'api' | 'worker', urls: readonly string[]): Promise<StatusLine[]> {
  const found = await Promise.all(
    urls.map(async (url): Promise<StatusLine[]> => {
      const readiness = `${url.replace(/\/$/, '')}/readyz`;
      const problem = await refusalOf(readiness);
      if (problem === null) return [];
      return [{ subject, is: 'unreachable', what: `${url} ${problem}`, remedy: `curl -sSi ${readiness}` }];
    }),
  );
  return found.flat();
}

/** Why a process cannot serve; null where it can. */
async function refusalOf(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok ? null : `lives and is not ready (${response.status})`;
  } catch (error) {
    return `does not answer: ${errorTextWithCauses(error)}`;
  }
}

/** The parts of a task queue as Temporal's API counts them: who polls one for workflow tasks polls it for activities, too. */
const [WORKFLOW_TASKS, ACTIVITIES] = [1, 2];

/** What a worker polls. */
const POLLED = [
  ...TASK_QUEUES.map((name) => ({ name, part: WORKFLOW_TASKS })),
  { name: WATCH_TASK_QUEUE, part: ACTIVITIES },
];

/** A poll lasts a minute; who has not asked for two is gone. */
const LONGEST_SILENCE_MS = 120_000;

/** What Temporal says of the worker: task queues that nobody polls. */
export async function pollerLines(client: Client, now: Date): Promise<StatusLine[]> {
  const found = await Promise.all(
    POLLED.map(async (queue) => ({ name: queue.name, silent: await isSilent(client, queue, now) })),
  );
  const silent = found.filter((one) => one.silent).map(({ name }) => name);
  if (silent.length === 0) return [];
  const what = `no worker asks Temporal for work on ${silent.join(' and ')}: what was taken in waits`;
  return [{ subject: 'worker', is: 'unreachable', what, remedy: WORKER_REMEDY }];
}

async function isSilent(client: Client, { name, part }: (typeof POLLED)[number], now: Date): Promise<boolean> {
  const { namespace } = client.options;
  const answer = await client.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType: part,
  });
  const seen = (answer.pollers ?? []).map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000);
  return seen.every((at) => now.getTime() - at > LONGEST_SILENCE_MS);
}
