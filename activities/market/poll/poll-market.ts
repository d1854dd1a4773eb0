import { pause } from '../../../domain/pause.ts';
import type { MarketDeps } from '../deps.ts';
import { pollNext, pollPools } from '../poll-pools.ts';
import { createPollMemory, type PollMemory } from '../poll-memory.ts';
import { PushedPools } from './pushed-pools.ts';

const BEAT_EVERY_MS = 1_000;

/**
 * After this time without a successful poll the activity fails; without a step of a poll its heartbeats end. Then
 * another worker takes over. Ms.
 */
const STUCK_AFTER_MS = 120_000;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Polls until `signal` aborts. A run can end anywhere, because a poll repeats safely. Throws the last error if no poll
 * succeeded for two minutes.
 */
export async function pollMarket(deps: MarketDeps, signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  const until = AbortSignal.any([signal, failed.signal]);
  const memory = createPollMemory();
  const pushed = new PushedPools();
  const progress: Progress = { polledAt: performance.now(), steppedAt: performance.now() };
  const beat = setInterval(() => {
    if (!isLongAgo(progress.steppedAt)) deps.heartbeat();
  }, BEAT_EVERY_MS);
  // A long backlog is one poll with many steps: each counts as progress.
  const heartbeat = (): void => {
    progress.steppedAt = performance.now();
    deps.heartbeat();
  };
  try {
    await Promise.all([
      pollAll({ ...deps, heartbeat }, memory, until, progress).finally(() => failed.abort()),
      pollPushed(deps, memory, pushed, until),
      deps.listen((pool) => pushed.add(pool), until),
    ]);
  } finally {
    clearInterval(beat);
  }
}

interface Progress {
  /** Time of the last successful poll, monotonic clock, ms. */
  polledAt: number;
  /** Time of the last step of a poll, or of its success. */
  steppedAt: number;
}

function isLongAgo(at: number): boolean {
  return performance.now() - at >= STUCK_AFTER_MS;
}

async function pollAll(deps: MarketDeps, memory: PollMemory, signal: AbortSignal, progress: Progress): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      await pollNext(deps, memory);
      progress.polledAt = progress.steppedAt = performance.now();
      pauseMs = FIRST_PAUSE_MS;
      await pause(deps.settings.everyMs, signal);
    } catch (error) {
      if (isLongAgo(progress.polledAt)) throw error;
      deps.logger.warn({ err: error }, 'the pools could not be polled; they are polled again');
      await pause(pauseMs, signal);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }
}

/** Polls pools that notifications named. A failure costs only time: the next poll of all pools includes them. */
async function pollPushed(
  deps: MarketDeps,
  memory: PollMemory,
  pushed: PushedPools,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const pools = await pushed.take(signal);
    if (signal.aborted) return;
    try {
      await pollPools(deps, pools, memory);
    } catch (error) {
      deps.logger.warn({ err: error, pools: pools.length }, 'pools that traded could not be polled at once');
      await pause(FIRST_PAUSE_MS, signal);
    }
  }
}
