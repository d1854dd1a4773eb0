import { expect, test } from 'vitest';
import { heartbeatOf, Subscriber } from '../../api/events/event-hub.ts';
import { streamText } from '../../api/events/event-stream.ts';

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
