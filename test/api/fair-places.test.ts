import { expect, test } from 'vitest';
import { createFairPlaces } from '../../api/fair-places.ts';

/** Lets clients ask in this order; returns the order in which their work begins. */
async function orderOf(places: number, clients: readonly string[]): Promise<string> {
  const begun: string[] = [];
  const fair = createFairPlaces(places);
  const work = (client: string) => async () => {
    begun.push(client);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await Promise.all(clients.map((client) => fair.take(client, work(client))));
  return begun.join('');
}

test.each([
  ['a client that comes late is next, before the further requests of one that came early', 'aaaab', 'aabaa'],
  ['clients in the queue take turns', 'aaabbbc', 'aabcabb'],
] as const)('%s', async (_, asked, order) => {
  expect(await orderOf(1, [...asked])).toBe(order);
});

test('a client that has a place waits for one that has none', async () => {
  const [fair, ends, begun] = [createFairPlaces(2), [] as (() => void)[], [] as string[]];
  const ask = (client: string) =>
    fair.take(client, () => {
      begun.push(client);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = ['a', 'b', 'a', 'a', 'c'].map(ask);
  expect(begun).toEqual(['a', 'b']);
  ends[1]?.();
  await all[1];
  expect(begun).toEqual(['a', 'b', 'c']);
  for (let index = 0; index < 5; index += 1) {
    ends[index]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
  expect(begun).toEqual(['a', 'b', 'c', 'a', 'a']);
});

test('work that fails gives its place back', async () => {
  const fair = createFairPlaces(1);
  await expect(fair.take('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(fair.take('b', async () => undefined)).resolves.toBeUndefined();
});
