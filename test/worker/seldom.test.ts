import { expect, it } from 'vitest';
import { seldom } from '../../worker/seldom.ts';

it('asks again only after a while, and at once after a failure', async () => {
  let [clock, asked] = [0, 0];
  const ask = async () => {
    asked += 1;
    if (asked === 2) throw new Error('away');
    return asked;
  };
  const known = seldom({ everyMs: 60, patienceMs: 1_000, now: () => clock }, ask);
  expect([await known(), await known()]).toEqual([1, 1]);
  clock = 60;
  await expect(known()).rejects.toThrow('away');
  expect(await known()).toBe(3);
});

it('does not wait for what hangs, and has its answer when it comes', async () => {
  const hanging = Promise.withResolvers<string>();
  const known = seldom({ everyMs: 60_000, patienceMs: 1 }, () => hanging.promise);
  await expect(known()).rejects.toThrow('no answer within 1 ms');
  hanging.resolve('late');
  expect(await known()).toBe('late');
});
