import { expect, test } from 'vitest';
import type { EventFilter } from '../../web/events/event-filter.ts';
import type { FollowedEvent, SourceHandlers } from '../../web/events/event-stream.ts';
import { type PageMessage, SharedStream, type SharingParts } from '../../web/events/shared-stream.ts';

interface Source extends SourceHandlers {
  readonly query: URLSearchParams;
}

/** A browser: one page has the turn at a time, and what one posts all others hear. */
function browser() {
  const turns: (() => void)[] = [];
  const pages = new Set<(message: PageMessage) => void>();
  const open = new Set<Source>();
  const parts: SharingParts = {
    later: () => () => undefined,
    open: (url, handlers) => {
      const source = { ...handlers, query: new URL(url).searchParams };
      open.add(source);
      return { close: () => void open.delete(source) };
    },
    awaitTurn: (onTurn) => {
      turns.push(onTurn);
      if (turns.length === 1) onTurn();
      return () => {
        const wasFirst = turns[0] === onTurn;
        turns.splice(turns.indexOf(onTurn), 1);
        if (wasFirst) turns[0]?.();
      };
    },
    joinPages: (onMessage) => {
      pages.add(onMessage);
      const others = () => [...pages].filter((page) => page !== onMessage);
      return {
        post: (message) => others().forEach((page) => page(structuredClone(message))),
        leave: () => void pages.delete(onMessage),
      };
    },
  };
  const page = (filter: EventFilter) => {
    const [lives, events]: [boolean[], (FollowedEvent | null)[]] = [[], []];
    const stream = new SharedStream('https://site.example/events/stream', filter, parts, {
      onLive: (isLive) => lives.push(isLive),
      onEvent: (event) => events.push(event),
    });
    stream.start();
    return { stream, events, isLive: () => lives.at(-1) ?? false };
  };
  const only = (): Source => {
    const [source, ...others] = open;
    if (!source || others.length > 0) throw new Error(`${open.size} streams are open`);
    return source;
  };
  return { page, only, open };
}

const of = (mint: string): EventFilter => ({ types: ['trade.final'], mint });
const trade = (mint: string) => JSON.stringify({ type: 'trade.final', mint, wallet: null, creator: null });

test('the pages of a browser open one stream, whose events reach the pages that they fit', () => {
  const { page, only } = browser();
  const [a, b, all] = [page(of('a')), page(of('b')), page({ types: ['burn', 'trade.final'] })];
  expect(Object.fromEntries(only().query)).toEqual({ types: 'burn,trade.final', after: 'now' });
  only().onOpen();
  expect([a, b, all].map(({ isLive }) => isLive())).toEqual([true, true, true]);
  only().onMessage(trade('b'), '1');
  only().onMessage('no JSON', '2');
  expect([a, b, all].map(({ events }) => events.map((event) => event?.mint))).toEqual([
    [undefined],
    ['b', undefined],
    ['b', undefined],
  ]);
});

test('pages of one token keep the filter narrow', () => {
  const { page, only } = browser();
  page(of('a'));
  page({ types: ['burn'], mint: 'a' });
  expect(Object.fromEntries(only().query)).toEqual({ types: 'burn,trade.final', mint: 'a', after: 'now' });
});

test('a hidden page has no stream: another one takes over, and polls until it is live', () => {
  const { page, only, open } = browser();
  const [a, b, c] = [page(of('a')), page(of('b')), page(of('c'))];
  only().onOpen();
  a.stream.stop();
  expect([b.isLive(), only().query.get('mint')]).toEqual([false, null]);
  only().onOpen();
  only().onMessage(trade('c'), '1');
  expect([a.events.length, b.events.length, c.events.length]).toEqual([0, 0, 1]);
  expect([a.isLive(), b.isLive(), c.isLive()]).toEqual([false, true, true]);
  for (const { stream } of [b, c]) stream.stop();
  expect(open.size).toBe(0);
});

test('a page that is shown again joins, and one that comes later learns that the stream is live', () => {
  const { page, only } = browser();
  const a = page(of('a'));
  only().onOpen();
  a.stream.stop();
  a.stream.start();
  only().onOpen();
  const later = page(of('a'));
  expect([a.isLive(), later.isLive()]).toEqual([true, true]);
});
