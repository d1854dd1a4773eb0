import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../client/index.ts';
import { useEventReads, useIsLive } from '../events/follow-events.tsx';
import type { Trigger } from '../events/paced-reads.ts';

export interface Asked<T> {
  /** May be the previous query's while a new one loads. */
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refresh: () => void;
}

export interface Cadence {
  /** ms; absent: once. */
  readonly everyMs?: number;
  /** Events after which it is read, where the page follows them; it is then polled every `QUIET_MS`. */
  readonly on?: Trigger;
  readonly enabled?: boolean;
  /** False hides the previous query's data. */
  readonly keepsPrevious?: boolean;
}

/** While events are followed. No event says that a price or a sum over 24 hours changed. */
const QUIET_MS = 30_000;

const KEEP_PREVIOUS = { placeholderData: keepPreviousData };

/**
 * Polls an answer, or reads it after events; after a 429 it waits as told.
 *
 * @param key of the query
 */
export function useAnswer<T>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T>,
  { everyMs, on, enabled = true, keepsPrevious = true }: Cadence = {},
): Asked<T> {
  const isFollowed = useIsLive() && on !== undefined;
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => ask(signal),
    enabled,
    ...(keepsPrevious && KEEP_PREVIOUS),
    refetchInterval: ({ state }) =>
      everyMs === undefined ? false : pauseOf(state.error, everyMs, isFollowed ? QUIET_MS : 0),
  });
  useEventReads(enabled ? on : undefined, everyMs ?? QUIET_MS, () => {
    // After an error the next poll asks. A read under way goes on: events must not restart a slow one for ever.
    if (error === null) void refetch({ cancelRefetch: false });
  });
  return { data, error, refresh: () => void refetch() };
}

/** An error is asked about at the pace of polling. */
function pauseOf(error: Error | null, everyMs: number, quietMs: number): number {
  if (error === null) return Math.max(everyMs, quietMs);
  return Math.max(everyMs, error instanceof ApiError ? error.retryAfter * 1_000 : 0);
}

export function isNotFound(error: Error | null): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_request');
}
