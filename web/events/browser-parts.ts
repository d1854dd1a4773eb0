import type { Later, OpenSource } from './event-stream.ts';
import type { PageMessage, SharingParts } from './shared-stream.ts';

const NAME = 'slipway-events';

const later: Later = (work, ms) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

const open: OpenSource = (url, { onOpen, onMessage, onLost }) => {
  const source = new EventSource(url);
  source.addEventListener('open', onOpen);
  source.addEventListener('message', ({ data, lastEventId }: MessageEvent<unknown>) => onMessage(data, lastEventId));
  source.addEventListener('error', () => onLost(source.readyState === EventSource.CLOSED));
  return source;
};

/** Locks exist only on secure pages. Without them each page opens a stream of its own. */
const hasLocks = 'locks' in navigator && 'BroadcastChannel' in globalThis;

const awaitTurn: SharingParts['awaitTurn'] = (onTurn) => {
  const { promise: ended, resolve: giveUp } = Promise.withResolvers<void>();
  const waiting = new AbortController();
  if (!hasLocks) onTurn();
  else
    navigator.locks
      .request(NAME, { signal: waiting.signal }, () => {
        onTurn();
        return ended;
      })
      // Given up before its turn.
      .catch(() => undefined);
  return () => {
    waiting.abort();
    giveUp();
  };
};

const joinPages: SharingParts['joinPages'] = (onMessage) => {
  if (!hasLocks) return { post: () => undefined, leave: () => undefined };
  const channel = new BroadcastChannel(NAME);
  // Only pages of this site and release post to it.
  channel.addEventListener('message', ({ data }: MessageEvent<PageMessage>) => onMessage(data));
  return { post: (message) => channel.postMessage(message), leave: () => channel.close() };
};

/** The browser, as a stream uses it. */
export const BROWSER_PARTS: SharingParts = { open, later, awaitTurn, joinPages };
