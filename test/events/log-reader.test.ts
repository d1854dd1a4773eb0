import { expect, test } from 'vitest';
import { heartbeatOf, Subscriber } from '../../api/events/event-hub.ts';
import { streamText } from '../../api/events/event-stream.ts';
import { limited } from '../../api/events/log-reader.ts';

/** Calls that end when they are told to. */
function heldCalls() {
  const begun: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<void>>();
  const run = async (call: number) => {
    begun.push(call);
    const end = Promise.withResolvers<void>();
    ends.set(call, end);
    await end.promise;
    return call;
  };
  return {
    begun,
    run,
    end: (call: number) => ends.get(call)!.resolve(),
    fail: (call: number) => ends.get(call)!.reject(new Error(`call ${call}`)),
  };
}

test('streams that catch up read the log two at a time, in the order in which they came', async () => {
  const calls = heldCalls();
  const read = limited(2, calls.run);
  const results = [1, 2, 3, 4].map((call) => read(call));
  await new Promise(setImmediate);
  expect(calls.begun).toEqual([1, 2]);
  calls.end(2);
  expect(await results[1]).toBe(2);
  expect(calls.begun).toEqual([1, 2, 3]);
  // A failed one frees its place too.
  calls.fail(1);
  await expect(results[0]).rejects.toThrow('call 1');
  expect(calls.begun).toEqual([1, 2, 3, 4]);
  for (const call of [3, 4]) calls.end(call);
  expect(await Promise.all(results.slice(2))).toEqual([3, 4]);
  const later = read(5);
  await new Promise(setImmediate);
  calls.end(5);
  expect(await later).toBe(5);
});

test('a stream whose filter matches nothing sends how far it has read, so that a client never begins anew', async () => {
  const placeAt = (id: bigint) => ({ generation: 1, xid: 9n, id, day: 20_000 });
  const parts = {
    read: async (place: { readonly id: bigint } | null) => {
      const next = placeAt((place?.id ?? 0n) + 1n);
      return { answers: [], next, hasMore: true };
    },
    hub: { join: async () => new Subscriber({}), leave: () => {} },
    beatMs: 60_000,
  };
  const text = streamText(parts, null, { wallet: 'nobody' }, new AbortController().signal);
  await text.next();
  const sent: unknown[] = [(await text.next()).value, (await text.next()).value];
  expect(sent).toEqual([1n, 2n].map((id) => heartbeatOf(placeAt(id))));
  await text.return(undefined);
});
