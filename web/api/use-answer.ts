import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../client/index.ts';

/** What is known of something that was asked: the last answer, and what went wrong since. */
export interface Asked<T> {
  /** The newest answer; of the question before, while a new one is under way and nobody asked for none. */
  readonly data: T | undefined;
  readonly error: Error | null;
  /** Asks again now. */
  readonly refresh: () => void;
}

/** How often something is asked again. */
export interface Cadence {
  /** ms; without it, it is asked once. */
  readonly everyMs?: number;
  /** False asks nothing. */
  readonly enabled?: boolean;
  /** False shows nothing while another question is under way: the answer to the one before would be taken for its. */
  readonly keepsPrevious?: boolean;
}

const KEEP_PREVIOUS = { placeholderData: keepPreviousData };

/** Asks something and keeps asking; `key` names the question. After a 429 it waits as long as the platform says. */
export function useAnswer<T>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T>,
  { everyMs, enabled = true, keepsPrevious = true }: Cadence = {},
): Asked<T> {
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => ask(signal),
    enabled,
    ...(keepsPrevious && KEEP_PREVIOUS),
    refetchInterval: ({ state }) => (everyMs === undefined ? false : Math.max(everyMs, waitAfter(state.error))),
  });
  return { data, error, refresh: () => void refetch() };
}

function waitAfter(error: Error | null): number {
  return error instanceof ApiError ? error.retryAfter * 1_000 : 0;
}

/** Whether an error says that there is no such thing. */
export function isNotFound(error: Error | null): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_request');
}
