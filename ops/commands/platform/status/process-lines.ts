import type { Client } from '@temporalio/client';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { errorTextWithCauses } from '../../../../domain/error-text.ts';
import { ACTIVITY_QUEUES, TASK_QUEUES } from '../../../../workflows/task-queues.ts';
import { opsCommand, restartOf, type StatusLine, WORKER_REMEDY } from './line.ts';
import { clockLines } from './watch-lines.ts';

/** A process checks its parts for up to two seconds. */
const TIMEOUT_MS = 4_000;

const DOCTOR = { api: opsCommand('doctor --of api'), worker: WORKER_REMEDY } as const;

export async function processLines(subject: 'api' | 'worker', urls: readonly string[]): Promise<StatusLine[]> {
  const found = await Promise.all(
    urls.map(async (url): Promise<StatusLine[]> => {
      const base = url.replace(/\/$/, '');
      const { problem, isSilent = false, skewMs } = await askProcess(`${base}/readyz`);
      const clocks = clockLines(url, skewMs);
      if (problem === null) return clocks;
      const remedy = isSilent ? `${restartOf(subject)}; it does not start: ${DOCTOR[subject]}` : DOCTOR[subject];
      return [{ alert: 'SlipwayDown', subject, is: 'unreachable', what: `${url} ${problem}`, remedy }, ...clocks];
    }),
  );
  return found.flat();
}

interface ProcessAnswer {
  /** Null if it can serve. */
  readonly problem: string | null;
  /** It did not answer at all. */
  readonly isSilent?: true;
  /** Ahead of this machine, in seconds' steps; 0 if unknown. */
  readonly skewMs: number;
}

async function askProcess(url: string): Promise<ProcessAnswer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const date = Date.parse(response.headers.get('date') ?? '');
    const skewMs = Number.isNaN(date) ? 0 : date - Date.now();
    return { problem: response.ok ? null : await notReady(response), skewMs };
  } catch (error) {
    return { problem: `does not answer: ${errorTextWithCauses(error)}`, isSilent: true, skewMs: 0 };
  }
}

/** Longest reason of a process that is shown, in characters. */
const MOST_TEXT = 300;

/** Returns what a process says about itself: an API names what it lacks, a worker also why. */
async function notReady(response: Response): Promise<string> {
  const { error, checks } = readNotReady(await response.text());
  const ofWorker = Object.entries(checks ?? {}).flatMap(([name, result]) =>
    typeof result === 'string' && result !== 'ok' ? [`${name}: ${result}`] : [],
  );
  const why = error?.message ?? ofWorker.join('; ');
  return `lives and is not ready (${response.status})${why === '' ? '' : `: ${why.slice(0, MOST_TEXT)}`}`;
}

const NotReadySchema = Type.Object({
  error: Type.Optional(Type.Object({ message: Type.String() })),
  checks: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

function readNotReady(text: string): Static<typeof NotReadySchema> {
  try {
    const body: unknown = JSON.parse(text);
    return Check(NotReadySchema, body) ? body : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The parts of a task queue in Temporal's API: a worker that polls workflow tasks polls activities too. */
const [WORKFLOW_TASKS, ACTIVITIES] = [1, 2];

const POLLED = [
  ...TASK_QUEUES.map((name) => ({ name, part: WORKFLOW_TASKS })),
  ...ACTIVITY_QUEUES.map((name) => ({ name, part: ACTIVITIES })),
];

/** A poll lasts a minute. */
const LONGEST_SILENCE_MS = 120_000;

export async function pollerLines(client: Client, now: Date): Promise<StatusLine[]> {
  const found = await Promise.all(
    POLLED.map(async (queue) => ({ name: queue.name, silent: await isSilent(client, queue, now) })),
  );
  const silent = found.filter((one) => one.silent).map(({ name }) => name);
  if (silent.length === 0) return [];
  const what = `no worker asks Temporal for work on ${silent.join(' and ')}: what was taken in waits`;
  return [{ alert: 'SlipwayWorkerStarting', subject: 'worker', is: 'unreachable', what, remedy: WORKER_REMEDY }];
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
