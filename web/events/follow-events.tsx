import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../api/api.ts';
import { BROWSER_PARTS } from './browser-parts.ts';
import { type EventFilter, queryOf } from './event-filter.ts';
import type { FollowedEvent } from './event-stream.ts';
import { isConcerned, PacedReads, type Trigger } from './paced-reads.ts';
import { SharedStream } from './shared-stream.ts';

interface Watcher {
  readonly onEvent: (event: FollowedEvent | null) => void;
  readonly onLive: () => void;
}

interface Followed {
  readonly isLive: boolean;
  /** Returns a function that ends it. */
  readonly watch: (watcher: Watcher) => () => void;
}

const NOTHING: Followed = { isLive: false, watch: () => () => undefined };

const FollowedContext = createContext<Followed>(NOTHING);

/**
 * Follows events for the reads below it (`useAnswer` with `on`), by one connection of the browser, while a tab is visible. Where the
 * stream is away, the reads poll.
 *
 * @param filter null: follows nothing
 */
export function FollowEvents({
  filter,
  children,
}: {
  readonly filter: EventFilter | null;
  readonly children: ReactNode;
}) {
  const [isLive, setLive] = useState(false);
  const watchers = useRef(new Set<Watcher>());
  const query = filter && queryOf(filter);
  const newest = useRef(filter);
  newest.current = filter;
  useEffect(() => {
    const { current } = newest;
    if (current === null) return undefined;
    const tell = (call: (watcher: Watcher) => void) => {
      for (const watcher of watchers.current) call(watcher);
    };
    const stream = new SharedStream(`${api.url}/events/stream`, current, BROWSER_PARTS, {
      onLive: (isLiveNow) => {
        setLive(isLiveNow);
        if (isLiveNow) tell((watcher) => watcher.onLive());
      },
      onEvent: (event) => tell((watcher) => watcher.onEvent(event)),
    });
    return whileVisible(stream);
  }, [query]);
  const watch = useCallback((watcher: Watcher) => {
    watchers.current.add(watcher);
    return () => watchers.current.delete(watcher);
  }, []);
  const followed = useMemo(() => ({ isLive, watch }), [isLive, watch]);
  return <FollowedContext value={followed}>{children}</FollowedContext>;
}

/** A hidden tab needs no connection, and a browser has few of them for a host. Returns a function that ends it. */
function whileVisible(stream: SharedStream): () => void {
  const follow = () => (document.hidden ? stream.stop() : stream.start());
  const leave = () => stream.stop();
  document.addEventListener('visibilitychange', follow);
  addEventListener('pageshow', follow);
  addEventListener('pagehide', leave);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    removeEventListener('pageshow', follow);
    removeEventListener('pagehide', leave);
    stream.stop();
  };
}

/** Whether events are followed, so that polling can rest. */
export function useIsLive(): boolean {
  return useContext(FollowedContext).isLive;
}

/**
 * Has events trigger a read, at most once in `everyMs`.
 *
 * @param trigger absent: none
 */
export function useEventReads(trigger: Trigger | undefined, everyMs: number, read: () => void): void {
  const { watch } = useContext(FollowedContext);
  const newest = useRef({ trigger, read });
  newest.current = { trigger, read };
  const isWatching = trigger !== undefined;
  useEffect(() => {
    if (!isWatching) return undefined;
    const reads = new PacedReads(() => newest.current.read(), everyMs, BROWSER_PARTS.later);
    const end = watch({
      onEvent: (event) => {
        const { trigger: of } = newest.current;
        if (of && isConcerned(of, event)) reads.onEvent();
      },
      onLive: () => reads.onLive(),
    });
    return () => {
      end();
      reads.stop();
    };
  }, [isWatching, everyMs, watch]);
}
