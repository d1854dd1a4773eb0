import { setTimeout as pause } from 'node:timers/promises';
import {
  ActivityCancelledError,
  ActivityNotFoundError,
  ActivityPausedError,
  ActivityResetError,
} from '@temporalio/client';
import {
  ApplicationFailure,
  asyncLocalStorage,
  CancelledFailure,
  CompleteAsyncError,
  Context,
} from '@temporalio/activity';
import type { ActivityInterceptorsFactory, WorkerPlugin } from '@temporalio/worker';

/** Runs activities without holding slots. */
export interface SlotlessActivities {
  /** The outermost interceptor. */
  readonly interceptor: ActivityInterceptorsFactory;
  /** Returns running activities when the worker ends. */
  readonly plugin: WorkerPlugin;
}

/** Heartbeats per timeout: one may be lost. */
const BEATS_PER_TIMEOUT = 3;

/** Default for activities without a heartbeat timeout. */
const DEFAULT_TIMEOUT_MS = 10_000;

const TICK_MS = 250;

/** Time after which an activity that ignores its cancellation is abandoned, ms. */
const STOP_WITHIN_MS = 6_000;

interface Entry {
  readonly context: Context;
  readonly beatEveryMs: number;
  /** `performance.now()`. */
  beatAt: number;
  /** By the server, or because this worker ends. */
  endedBy: 'server' | 'worker' | null;
  readonly cancel: () => void;
}

/**
 * Runs activities without slots. Activities that mostly wait return their slot at once, continue here and report to
 * Temporal at the end. One timer sends all heartbeats. An ending worker fails them for an immediate retry; the
 * heartbeat timeout reveals a dead one.
 */
export function createSlotlessActivities(): SlotlessActivities {
  const running = new Map<Entry, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  const start = (context: Context, work: () => Promise<unknown>): void => {
    const entry = createEntry(context);
    const ended = finish(entry, work).finally(() => {
      running.delete(entry);
      if (running.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
    running.set(entry, ended);
    timer ??= setInterval(() => beatDue(running.keys()), TICK_MS);
  };
  const stop = async (): Promise<void> => {
    for (const entry of running.keys()) end(entry, 'worker');
    await Promise.race([Promise.all(running.values()), pause(STOP_WITHIN_MS, undefined, { ref: false })]);
    clearInterval(timer);
  };
  return {
    interceptor: (context) => ({
      inbound: {
        execute: (input, next) => {
          start(context, () => next(input));
          return Promise.reject(new CompleteAsyncError());
        },
      },
    }),
    plugin: {
      name: 'slotless-activities',
      runWorker: async (worker, next) => {
        try {
          await next(worker);
        } finally {
          await stop();
        }
      },
    },
  };
}

function createEntry({ info, client, log, metricMeter }: Context): Entry {
  const abort = new AbortController();
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  cancelled.catch(() => undefined);
  const beatEveryMs = (info.heartbeatTimeoutMs ?? DEFAULT_TIMEOUT_MS) / BEATS_PER_TIMEOUT;
  return {
    // The worker has forgotten it: heartbeats through its own context would be lost.
    context: new Context(info, cancelled, abort.signal, () => undefined, client, log, metricMeter, {}),
    beatEveryMs,
    beatAt: performance.now() + beatEveryMs,
    endedBy: null,
    cancel: () => {
      const failure = new CancelledFailure('the activity is not to go on');
      abort.abort(failure);
      reject(failure);
    },
  };
}

function end(entry: Entry, by: 'server' | 'worker'): void {
  entry.endedBy ??= by;
  entry.cancel();
}

/** Reports the end to Temporal. Never rejects: an unreported one is retried after the heartbeat timeout. */
async function finish(entry: Entry, work: () => Promise<unknown>): Promise<void> {
  const { info, client, log } = entry.context;
  const { activity } = client;
  try {
    const report = await asyncLocalStorage.run(entry.context, work).then(
      (answer) => () => activity.complete(info.taskToken, answer),
      (error: unknown) => {
        if (entry.endedBy === 'server') return () => activity.reportCancellation(info.taskToken);
        if (entry.endedBy === 'worker') return () => activity.fail(info.taskToken, workerEnded());
        log.warn('Activity failed', { error });
        return () => activity.fail(info.taskToken, error);
      },
    );
    await report();
  } catch (error) {
    // Its workflow has ended, or another try replaced it.
    if (error instanceof ActivityNotFoundError) return;
    log.warn('The server was not told how the activity ended', { error });
  }
}

function workerEnded(): ApplicationFailure {
  return ApplicationFailure.retryable('the worker ended; another one goes on', 'WorkerEnded');
}

function beatDue(entries: Iterable<Entry>): void {
  const now = performance.now();
  for (const entry of entries) {
    if (now < entry.beatAt) continue;
    entry.beatAt = now + entry.beatEveryMs;
    void beat(entry);
  }
}

async function beat(entry: Entry): Promise<void> {
  const { info, client, log } = entry.context;
  try {
    await client.activity.heartbeat(info.taskToken);
  } catch (error) {
    if (ENDINGS.some((ending) => error instanceof ending)) end(entry, 'server');
    else log.debug('A heartbeat was not taken', { error });
  }
}

/** Errors after which an activity must stop. */
const ENDINGS = [ActivityCancelledError, ActivityNotFoundError, ActivityPausedError, ActivityResetError];
