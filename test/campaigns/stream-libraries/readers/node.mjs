// Reads the stream by a library of Node and prints the id of each event: node.mjs LIBRARY URL
import { createRequire } from 'node:module';

const [, , library, url] = process.argv;
const require = createRequire(`${process.cwd()}/package.json`);
const print = (id) => console.log(id);

const LIBRARIES = {
  // As the docs' example: it is opened again where an error closed it.
  eventsource: async () => {
    const { EventSource } = await import(require.resolve('eventsource'));
    let cursor = 'now';
    const follow = () => {
      const events = new EventSource(`${url}?after=${cursor}`);
      events.onmessage = ({ lastEventId }) => print((cursor = lastEventId));
      events.addEventListener('heartbeat', ({ lastEventId }) => (cursor = lastEventId || cursor));
      events.onerror = () => {
        if (events.readyState === EventSource.CLOSED) setTimeout(follow, 1_000);
      };
    };
    follow();
  },
  'launchdarkly-eventsource': async () => {
    const { EventSource } = require('launchdarkly-eventsource');
    const events = new EventSource(`${url}?after=now`, { errorFilter: () => true, initialRetryDelayMillis: 500 });
    events.onmessage = ({ lastEventId }) => print(lastEventId);
    events.onerror = () => undefined;
  },
};

await LIBRARIES[library]();
