import type { EventPage } from '../../db/events/event-log.ts';
import type { EventFilter, EventPlace } from '../../domain/events/stored-event.ts';
import { blockOf, type EventHub, heartbeatOf, type HubEvent, type Subscriber } from './event-hub.ts';
import type { EventAnswer } from './events.schema.ts';

/** A part of the log. */
export interface ReadEvents extends Pick<EventPage, 'next' | 'hasMore'> {
  readonly answers: readonly EventAnswer[];
}

export interface StreamParts {
  /** Reads the log behind a place. All streams of a process share its limit. */
  readonly read: (place: EventPlace | null, filter: EventFilter) => Promise<ReadEvents>;
  readonly hub: Pick<EventHub, 'join' | 'leave'>;
  readonly beatMs: number;
}

/**
 * The text of a stream from a place on (null: the oldest event), until `end`: first what the log has, then what comes.
 * It is read only as fast as the client takes it; what came meanwhile is read from the log again.
 */
export async function* streamText(
  parts: StreamParts,
  from: EventPlace | null,
  filter: EventFilter,
  end: AbortSignal,
): AsyncGenerator<string> {
  const subscriber = await parts.hub.join(filter);
  const wake = () => {
    subscriber.wake();
  };
  end.addEventListener('abort', wake);
  try {
    // In the first block: some libraries hand out a block without data as a message.
    yield `retry: 1000\n${heartbeatOf(from)}`;
    yield* follow(parts, subscriber, from, filter, end);
  } finally {
    end.removeEventListener('abort', wake);
    parts.hub.leave(subscriber);
  }
}

async function* follow(
  { read, beatMs }: Omit<StreamParts, 'hub'>,
  subscriber: Subscriber,
  from: EventPlace | null,
  filter: EventFilter,
  end: AbortSignal,
): AsyncGenerator<string> {
  let place = from;
  let isBehind = true;
  while (!end.aborted) {
    if (isBehind) {
      const { answers, next, hasMore } = await read(place, filter);
      for (const answer of answers) yield blockOf(answer);
      [place, isBehind] = [next, hasMore];
      // A filter can match nothing for long: a client that connects again must not start over.
      if (answers.length === 0) yield heartbeatOf(place);
      continue;
    }
    await subscriber.wait(beatMs);
    const taken = subscriber.take();
    isBehind = taken === null;
    const later = (taken ?? []).filter(isBehindPlace(place));
    // They go out as one part: each part costs a write here, in the proxy and in the client.
    if (later.length > 0) yield later.map(({ text }) => text).join('');
    place = later.at(-1)?.event.place ?? place;
    if (later.length > 0 || isBehind) continue;
    yield heartbeatOf(place);
  }
}

/** The log was read up to its end after the stream had joined, so the first ones may be known. */
function isBehindPlace(place: EventPlace | null): (hubEvent: HubEvent) => boolean {
  return ({ event }) =>
    place === null || event.place.xid > place.xid || (event.place.xid === place.xid && event.place.id > place.id);
}
