import { expect, test } from 'vitest';
import { EventStream, type FollowedEvent, type SourceHandlers } from '../../web/events/event-stream.ts';
import { isConcerned, PacedReads } from '../../web/events/paced-reads.ts';

/** A clock that a test moves: work runs in the order of its time. */
function clock() {
  let now = 0;
  let waiting: { readonly at: number; readonly work: () => void }[] = [];
  return {
    later: (work: () => void, ms: number) => {
      const timer = { at: now + ms, work };
      waiting.push(timer);
      return () => {
        waiting = waiting.filter((other) => other !== timer);
      };
    },
    pass: (ms: number) => {
      const end = now + ms;
      for (;;) {
        const [next] = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        waiting = waiting.filter((other) => other !== next);
        now = next.at;
        next.work();
      }
      now = end;
    },
    now: () => now,
  };
}

function followed() {
  const { later, pass } = clock();
  const sources: (SourceHandlers & { readonly after: string | null; isClosed: boolean })[] = [];
  const [lives, events]: [boolean[], (FollowedEvent | null)[]] = [[], []];
  const stream = new EventStream(
    new URL('https://site.example/events/stream?types=trade.final'),
    {
      later,
      open: (url, handlers) => {
        const source = { ...handlers, after: new URL(url).searchParams.get('after'), isClosed: false };
        sources.push(source);
        return {
          close: () => {
            source.isClosed = true;
          },
        };
      },
    },
    { onLive: (isLive) => lives.push(isLive), onEvent: (event) => events.push(event) },
  );
  return { stream, sources, lives, events, pass };
}

const trade = (mint: string) => JSON.stringify({ type: 'trade.final', mint });

test('a stream has one connection, and one that was stopped goes on behind the last event', () => {
  const { stream, sources, lives, events } = followed();
  stream.start();
  stream.start();
  sources[0]?.onOpen();
  sources[0]?.onMessage(trade('coin'), 'cursor-1');
  stream.stop();
  stream.start();
  expect(sources.map(({ after, isClosed }) => [after, isClosed])).toEqual([
    ['now', true],
    ['cursor-1', false],
  ]);
  expect(lives).toEqual([true, false]);
  expect(events).toEqual([{ type: 'trade.final', mint: 'coin', wallet: null, creator: null }]);
});

test('a connection that was lost is opened again by the browser, and the page polls until then', () => {
  const { stream, sources, lives, pass } = followed();
  stream.start();
  sources[0]?.onOpen();
  sources[0]?.onLost(false);
  pass(600_000);
  sources[0]?.onOpen();
  expect([sources.length, lives]).toEqual([1, [true, false, true]]);
});

test('a refused stream is tried again after longer and longer pauses, without the cursor that may be too old', () => {
  const { stream, sources, lives, pass } = followed();
  stream.start();
  sources[0]?.onMessage(trade('coin'), 'too-old');
  stream.stop();
  stream.start();
  sources[1]?.onLost(true);
  pass(14_999);
  expect([sources.length, lives.at(-1)]).toEqual([2, false]);
  pass(1);
  sources[2]?.onLost(true);
  pass(29_999);
  expect(sources.map(({ after }) => after)).toEqual(['now', 'too-old', 'now']);
  pass(1);
  expect(sources).toHaveLength(4);
});

test('a stream that was stopped while it waited is not tried again', () => {
  const { stream, sources, pass } = followed();
  stream.start();
  sources[0]?.onLost(true);
  stream.stop();
  pass(600_000);
  expect(sources).toHaveLength(1);
});

test('an event that the site does not understand can concern everything', () => {
  const { stream, sources, events } = followed();
  stream.start();
  for (const data of ['no JSON', '[]', '{"mint":"coin"}', 5]) sources[0]?.onMessage(data, '');
  expect(events).toEqual([null, null, null, null]);
  expect(isConcerned({ subjects: ['burn'] }, null)).toBe(true);
});

test.each([
  ['of its subject', { subjects: ['trade'] }, true],
  ['of its subject and mint', { subjects: ['burn', 'trade'], mint: 'coin' }, true],
  ['of another subject', { subjects: ['burn'] }, false],
  ['of another mint', { subjects: ['trade'], mint: 'other' }, false],
])('an event triggers a read that is %s: as it says', (_, trigger, isExpected) => {
  expect(isConcerned(trigger, { type: 'trade.final', mint: 'coin', wallet: null, creator: null })).toBe(isExpected);
});

function paced(random = 0) {
  const { later, pass, now } = clock();
  const at: number[] = [];
  const reads = new PacedReads(
    () => at.push(now()),
    3_000,
    later,
    () => random,
  );
  return { reads, at, pass };
}

test('an event is read at once, and again when caches have its fact; then there is rest', () => {
  const { reads, at, pass } = paced();
  pass(10);
  reads.onEvent();
  pass(600_000);
  expect(at).toEqual([10, 3_010]);
});

test('viewers of a coin do not all read in the instant of its event, but within a second of it', () => {
  for (const random of [0.25, 0.999]) {
    const { reads, at, pass } = paced(random);
    reads.onEvent();
    reads.onEvent();
    pass(600_000);
    expect(at).toEqual([random * 1_000, random * 1_000 + 3_000]);
  }
});

test('a thousand events in a burst are as many reads as polling makes, and the last read comes after all of them', () => {
  const { reads, at, pass } = paced();
  for (let event = 0; event < 1_000; event += 1) {
    reads.onEvent();
    pass(10);
  }
  pass(600_000);
  expect(at).toEqual([0, 3_000, 6_000, 9_000, 12_000, 15_000]);
});

test('what happened before the stream began is read once, at the time of the next poll', () => {
  const { reads, at, pass } = paced();
  reads.onLive();
  pass(600_000);
  expect(at).toEqual([3_000]);
});

test('a page that is left reads nothing more', () => {
  const { reads, at, pass } = paced();
  reads.onEvent();
  pass(1);
  reads.onEvent();
  reads.stop();
  pass(600_000);
  expect(at).toEqual([0]);
});
