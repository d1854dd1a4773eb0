import { setTimeout as sleep } from 'node:timers/promises';
import type { SignatureStatus } from '../../chain/rpc/statuses.ts';
import {
  type Entries,
  type Entry,
  type Followed,
  type FollowerOptions,
  isFinal,
  isInABlock,
  MOST_FAILURES,
  type Outcome,
} from './in-flight.ts';
import { judge } from './judge.ts';

/** Polls everything in flight together: calls grow with time and decisions, not with waiting transactions. */
export interface Follower {
  follow(followed: Followed): Promise<Outcome>;
}

/** Lanes of unseen transactions are read at every nth poll; this detects expiry. */
const LOOKS_PER_UNSEEN_LOOK = 5;

/** Pauses until finality; until then only a fork can change a transaction in a block. */
const PAUSES_TO_FINALITY = 12.5;

/** Longest pause, in polls, while everything is in a block. Bounds how late a fork is noticed. */
const LONGEST_PAUSES = 6.25;

/** Parts of a poll interval; the first send waits for one of them, so that concurrent movements share it. */
const GATHERED_PER_PAUSE = 20;

export function createFollower(options: FollowerOptions): Follower {
  const entries = new Map<string, Entry>();
  let running: Promise<void> | null = null;
  let wake = (): void => undefined;
  const pause = async (): Promise<void> => {
    await sleep(options.pollMs);
    const { promise: woken, resolve } = Promise.withResolvers<boolean>();
    wake = () => resolve(true);
    const timer = setTimeout(wake, restMs(options, [...entries.values()]));
    await woken;
    clearTimeout(timer);
  };
  const run = async (): Promise<void> => {
    // Concurrent movements share sends and polls.
    await sleep(options.pollMs / GATHERED_PER_PAUSE);
    for (let look = 0, failures = 0; entries.size > 0; look++) {
      const failure = await lookOnce(options, entries, look);
      failures = failure === null ? 0 : failures + 1;
      if (failure && failures >= MOST_FAILURES) failAll(entries, failure.error);
      if (entries.size > 0) await pause();
    }
  };
  const start = (): void => {
    running ??= run().finally(() => {
      running = null;
      if (entries.size > 0) start();
    });
  };
  return {
    follow(followed) {
      // A run given up unknowingly and its repeat may follow the same bytes: both get the outcome.
      const known = entries.get(followed.signature);
      if (known) return known.outcome;
      const { promise: outcome, resolve: settle, reject: fail } = Promise.withResolvers<Outcome>();
      const fresh = { followed, seen: null, inBlockAt: null, nextSendAt: 0, unlearned: 0, isUnmoved: false };
      entries.set(followed.signature, { ...fresh, outcome, settle, fail });
      start();
      wake();
      return outcome;
    },
  };
}

function restMs({ pollMs }: FollowerOptions, entries: readonly Entry[]): number {
  const now = performance.now();
  const dueIn = entries.map(({ inBlockAt }) =>
    inBlockAt === null ? 0 : inBlockAt + PAUSES_TO_FINALITY * pollMs - now,
  );
  return Math.max(0, Math.min((LONGEST_PAUSES - 1) * pollMs, ...dueIn));
}

/** Returns the failure, or null; decisions before it stand. */
async function lookOnce(options: FollowerOptions, entries: Entries, look: number): Promise<{ error: unknown } | null> {
  try {
    const isAllNew = [...entries.values()].every(({ nextSendAt }) => nextSendAt === 0);
    await sendDue(options, [...entries.values()]);
    // No status yet.
    if (isAllNew) return null;
    await readStatuses(options, [...entries.values()]);
    const looked = [...entries.values()].filter(({ seen }) => isWorthALook(seen, look));
    if (looked.length > 0) await judge(options, entries, looked);
    return null;
  } catch (error) {
    options.logger.warn({ err: error, inFlight: entries.size }, 'could not look at what is in flight');
    return { error };
  }
}

function failAll(entries: Entries, error: unknown): void {
  for (const { fail } of entries.values()) fail(error);
  entries.clear();
}

/** The same bytes, until they are in a block. A failed send decides nothing. */
async function sendDue({ logger, resendMs }: FollowerOptions, entries: readonly Entry[]): Promise<void> {
  const now = performance.now();
  const due = entries.filter(({ seen, nextSendAt }) => !isInABlock(seen) && now >= nextSendAt);
  const sends = due.map(async (entry) => {
    entry.nextSendAt = now + resendMs;
    await entry.followed.send();
  });
  for (const result of await Promise.allSettled(sends)) {
    if (result.status === 'rejected') logger.warn({ err: result.reason }, 'a transaction was not taken');
  }
}

async function readStatuses({ rpc }: FollowerOptions, entries: readonly Entry[]): Promise<void> {
  const signatures = entries.map(({ followed }) => followed.signature);
  const statuses = await rpc.recentStatuses(signatures, 0);
  const now = performance.now();
  entries.forEach((entry, index) => {
    entry.seen = statuses[index] ?? null;
    entry.inBlockAt = isInABlock(entry.seen) ? (entry.inBlockAt ?? now) : null;
  });
}

function isWorthALook(seen: SignatureStatus | null, look: number): boolean {
  return isFinal(seen) || (!isInABlock(seen) && look % LOOKS_PER_UNSEEN_LOOK === LOOKS_PER_UNSEEN_LOOK - 1);
}
