import { expect, test } from 'vitest';
import { createPlaces, GoneError, OURSELVES, type PlaceLimits } from '../../domain/places.ts';

/** Places whose clock a test sets, and work that ends when a test says so. */
function ground(limits: PlaceLimits) {
  const clock = { ms: 0 };
  const places = createPlaces(
    limits,
    (usedUp) => new Error(usedUp),
    () => clock.ms,
  );
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (client: string, gone?: AbortSignal) =>
    places.take({ client, gone }, () => {
      begun.push(client);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  /** Ends the work that began as the nth, after so many ms. */
  const end = async (nth: number, ms = 1) => {
    clock.ms += ms;
    ends[nth]?.();
    await new Promise(setImmediate);
  };
  return { places, clock, ask, end, begun: () => begun.join('') };
}

/** Lets clients ask in this order; returns the order in which their work begins, 1 ms each. */
async function orderOf(limits: PlaceLimits, clients: string): Promise<string> {
  const { ask, end, begun } = ground(limits);
  const all = [...clients].map((client) => ask(client));
  await new Promise(setImmediate);
  for (let index = 0; index < clients.length; index += 1) await end(index);
  await Promise.all(all);
  return begun();
}

test.each([
  ['work of one client runs in its order', { inAll: 2 }, 'aaaa', 'aaaa'],
  [
    'a client that comes late is next, before the further requests of one that came early',
    { inAll: 1 },
    'aaaab',
    'abaaa',
  ],
  ['clients in the queue take turns', { inAll: 1 }, 'aaabbbc', 'abcabab'],
  ['a client has its share, and the others have the rest', { inAll: 3, perClient: 1 }, 'aaabc', 'abcaa'],
] as const)('%s', async (_, limits, asked, order) => {
  expect(await orderOf(limits, asked)).toBe(order);
});

test('no more work runs at once than there are places', async () => {
  const { ask, end, begun } = ground({ inAll: 2 });
  const all = ['a', 'b', 'c'].map((client) => ask(client));
  await new Promise(setImmediate);
  expect(begun()).toBe('ab');
  await end(0);
  expect(begun()).toBe('abc');
  await end(1);
  await end(2);
  await Promise.all(all);
});

test('a client that holds a place waits for one that has none', async () => {
  const { ask, end, begun } = ground({ inAll: 2 });
  const all = ['a', 'b', 'a', 'a', 'c'].map((client) => ask(client));
  await end(1);
  expect(begun()).toBe('abc');
  for (const nth of [0, 2, 3, 4]) await end(nth);
  await Promise.all(all);
});

test('a client that used places for long waits for one that did not, also after its work', async () => {
  const { ask, end, begun } = ground({ inAll: 1 });
  const first = ask('a');
  await end(0, 1_000);
  await first;
  const all = ['b', 'a', 'c'].map((client) => ask(client));
  await end(1);
  expect(begun()).toBe('abc');
  for (const nth of [2, 3]) await end(nth);
  await Promise.all(all);
});

test('the time that a client used places for is forgotten', async () => {
  const { ask, end, clock, begun } = ground({ inAll: 1 });
  const first = ask('a');
  await end(0, 1_000);
  await first;
  clock.ms += 10_000;
  const all = ['b', 'a', 'c'].map((client) => ask(client));
  for (const nth of [1, 2, 3]) await end(nth);
  await Promise.all(all);
  expect(begun()).toBe('abac');
});

test('where too many wait, the last one of the client that asks for most is refused', async () => {
  const { ask, end, begun } = ground({ inAll: 1, mostWaiting: 3 });
  const held = ask('a');
  const waiting = ['b', 'b', 'b'].map((client) => ask(client));
  const late = ask('c');
  await expect(waiting[2]).rejects.toThrow('inAll');
  for (const nth of [0, 1, 2, 3]) await end(nth);
  await Promise.all([held, ...waiting.slice(0, 2), late]);
  expect(begun()).toBe('abcb');
});

test('where none may wait, a client is told which limit is used up', async () => {
  const places = createPlaces({ inAll: 2, perClient: 1, mostWaiting: 0 }, (usedUp) => new Error(usedUp));
  const giveBack = await places.hold({ client: 'a' });
  await expect(places.hold({ client: 'a' })).rejects.toThrow('perClient');
  await places.hold({ client: 'b' });
  await expect(places.hold({ client: 'c' })).rejects.toThrow('inAll');
  giveBack();
  // Twice is once.
  giveBack();
  await places.hold({ client: 'c' });
  await expect(places.hold({ client: 'd' })).rejects.toThrow('inAll');
});

test('a client that hangs up leaves the queue, and no work is done for it', async () => {
  const { ask, end, begun } = ground({ inAll: 1 });
  const hungUp = new AbortController();
  const held = ask('a');
  const gone = ask('b', hungUp.signal);
  const later = ask('c');
  hungUp.abort();
  await expect(gone).rejects.toThrow(GoneError);
  await expect(ask('b', hungUp.signal)).rejects.toThrow(GoneError);
  for (const nth of [0, 1]) await end(nth);
  await Promise.all([held, later]);
  expect(begun()).toBe('ac');
});

test('a client waits no longer than it is asked to', async () => {
  const places = createPlaces({ inAll: 1, patienceMs: 20 }, (usedUp) => new Error(usedUp));
  const giveBack = await places.hold({ client: 'a' });
  await expect(places.hold({ client: 'b' })).rejects.toThrow('inAll');
  giveBack();
  await places.hold({ client: 'b' });
});

test('work that fails gives its place back', async () => {
  const places = createPlaces({ inAll: 1 });
  await expect(places.take(OURSELVES, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await places.take(OURSELVES, () => Promise.resolve('next'))).toBe('next');
});
