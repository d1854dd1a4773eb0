import { expect, test } from 'vitest';
import { createPlaces } from '../../domain/places.ts';

test('so much work runs at once, and the rest begins in its order as places become free', async () => {
  const places = createPlaces(2);
  const begun: number[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const done = gates.map((gate, index) =>
    places.take(async () => {
      begun.push(index);
      await gate.promise;
      return index;
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  gates[1]!.resolve();
  await done[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  expect(await Promise.all(done)).toEqual([0, 1, 2, 3]);
});

test('work that fails gives its place back', async () => {
  const places = createPlaces(1);
  await expect(places.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await places.take(() => Promise.resolve('next'))).toBe('next');
  expect(await Promise.all([1, 2, 3].map((n) => places.take(() => Promise.resolve(n))))).toEqual([1, 2, 3]);
});
