// Readers of a browser: `read(library, url)` calls `report(id)` with the id of each event.
import { fetchEventSource } from '@microsoft/fetch-event-source';
import { EventSourcePolyfill } from 'event-source-polyfill';
import { EventSource as ExtendedEventSource } from 'extended-eventsource';
import { SSE } from 'sse.js';

// As the docs' example: it is opened again where an error closed it.
function follow(Source, url) {
  let cursor = 'now';
  const open = () => {
    const events = new Source(`${url}?after=${cursor}`);
    events.onmessage = ({ lastEventId }) => globalThis.report((cursor = lastEventId));
    events.addEventListener('heartbeat', ({ lastEventId }) => (cursor = lastEventId || cursor));
    events.onerror = () => {
      if (events.readyState === 2) setTimeout(open, 1_000);
    };
  };
  open();
}

const LIBRARIES = {
  EventSource: (url) => follow(globalThis.EventSource, url),
  'event-source-polyfill': (url) => follow(EventSourcePolyfill, url),
  'extended-eventsource': (url) => follow(ExtendedEventSource, url),
  'fetch-event-source': (url) => {
    const onmessage = ({ event, id }) => event === '' && globalThis.report(id);
    // As its documents say: it connects again after an error alone, and a stream that ends is none.
    const onclose = () => {
      throw new Error('the stream ended');
    };
    void fetchEventSource(`${url}?after=now`, { onmessage, onclose, openWhenHidden: true });
  },
  'sse.js': (url) => {
    const events = new SSE(`${url}?after=now`, { autoReconnect: true, reconnectDelay: 1_000, start: false });
    events.addEventListener('message', ({ id, lastEventId }) => globalThis.report(id ?? lastEventId));
    events.stream();
  },
};

globalThis.read = (library, url) => LIBRARIES[library](url);
