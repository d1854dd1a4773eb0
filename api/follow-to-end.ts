import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

/** A kind of rows that are followed, each by its id. */
export interface Followed<Row> {
  /** The workflow has a further outcome to report. */
  readonly isOpen: (row: Row) => boolean;
  /** Starts or finds the workflow; waits for its end at most `waitMs`. */
  readonly outcome: (id: string, waitMs: number) => Promise<unknown>;
  /** Null if the row is gone. */
  readonly read: (id: string) => Promise<Row | null>;
  /** The longest wait of a request, ms. */
  readonly waitMs: number;
}

export interface Follower<Row> {
  readonly id: string;
  /** The row as it was taken in. */
  readonly row: Row;
  /** Ends the wait. */
  readonly gone: AbortSignal;
  readonly log: FastifyBaseLogger;
}

interface Following<Row> {
  latest: Row;
  /** `Date.now()` */
  until: number;
  waiting: number;
  readonly ended: Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Returns the row's final state, through faults of Temporal or the database: an accepted transaction can land at any
 * moment, and a workflow that did not start would wait for the janitor. After the wait, the last known row. However
 * many requests wait for one id, it is asked for once.
 */
export function createFollowToEnd<Row>(followed: Followed<Row>): (follower: Follower<Row>) => Promise<Row> {
  const { isOpen, outcome, read, waitMs } = followed;
  const underWay = new Map<string, Following<Row>>();

  async function reread(following: Following<Row>, { id, log }: Follower<Row>): Promise<void> {
    try {
      following.latest = (await read(id)) ?? following.latest;
    } catch (error) {
      log.error({ err: error }, 'it could not be read again; answering what was known before');
    }
  }

  async function follow(following: Following<Row>, follower: Follower<Row>): Promise<void> {
    const { id, log } = follower;
    const isAwaited = () => following.waiting > 0 && Date.now() < following.until;
    for (let pause = FIRST_PAUSE_MS; isOpen(following.latest) && isAwaited(); pause *= 2) {
      try {
        await outcome(id, following.until - Date.now());
      } catch (error) {
        log.warn({ err: error }, 'no outcome from the workflow yet; answering from the database');
      }
      await reread(following, follower);
      if (isOpen(following.latest) && isAwaited()) await sleep(Math.min(pause, LONGEST_PAUSE_MS));
    }
    underWay.delete(id);
  }

  function begin(follower: Follower<Row>): Following<Row> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const following = { latest: follower.row, until: Date.now() + waitMs, waiting: 1, ended: promise };
    underWay.set(follower.id, following);
    void follow(following, follower).then(resolve);
    return following;
  }

  function join(follower: Follower<Row>): Following<Row> {
    const following = underWay.get(follower.id);
    if (following === undefined) return begin(follower);
    following.waiting += 1;
    following.until = Date.now() + waitMs;
    return following;
  }

  return async (follower) => {
    if (!isOpen(follower.row)) return follower.row;
    const following = join(follower);
    const isEnded = await endsWithin(waitMs, following.ended, follower.gone);
    following.waiting -= 1;
    if (!isEnded && !follower.gone.aborted) await reread(following, follower);
    return following.latest;
  };
}

/** False where `gone` or the time was first. */
async function endsWithin(ms: number, ended: Promise<void>, gone: AbortSignal): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<false>();
  const stop = () => resolve(false);
  const timer = setTimeout(stop, ms);
  gone.addEventListener('abort', stop);
  if (gone.aborted) stop();
  try {
    return await Promise.race([ended.then(() => true), over]);
  } finally {
    clearTimeout(timer);
    gone.removeEventListener('abort', stop);
  }
}
