import { describe, expect, it } from 'vitest';
import { rememberedReader } from '../../../chain/prices/remembered-reader.ts';

/** A price service that counts how often it is asked, and refuses while it is told to. */
function service() {
  const state = { nowMs: 1_000_000, asked: 0, isRefusing: false, failures: [] as unknown[] };
  const read = rememberedReader(
    async (id) => {
      state.asked += 1;
      await Promise.resolve();
      if (state.isRefusing) throw new Error('hermes.example/v2 answered 429 Too Many Requests');
      return { usd: `${id}.${state.asked}`, observedAt: new Date(state.nowMs) };
    },
    { now: () => state.nowMs, onFailure: (_id, error) => state.failures.push(error) },
  );
  return { state, read };
}

describe('a price service is asked for each price at most every two seconds', () => {
  it('however many ask at once, and one after the other', async () => {
    const { state, read } = service();
    const prices = await Promise.all(Array.from({ length: 50 }, () => read('1')));
    expect(new Set(prices.map(({ usd }) => usd))).toEqual(new Set(['1.1']));
    for (let count = 0; count < 50; count++) await read('1');
    expect(state.asked).toBe(1);
    await read('2');
    expect(state.asked).toBe(2);
    state.nowMs += 2_000;
    expect((await read('1')).usd).toBe('1.3');
  });

  it('and while it refuses, the last price is given with the time it had, and it is left alone', async () => {
    const { state, read } = service();
    const { observedAt } = await read('1');
    state.isRefusing = true;
    state.nowMs += 10_000;
    for (let count = 0; count < 20; count++) expect((await read('1')).observedAt).toEqual(observedAt);
    expect([state.asked, state.failures.length]).toEqual([2, 1]);
    state.isRefusing = false;
    state.nowMs += 3_000;
    expect((await read('1')).observedAt).toEqual(new Date(state.nowMs));
  });

  it('without a last price everybody hears why, from one request', async () => {
    const { state, read } = service();
    state.isRefusing = true;
    const answers = await Promise.allSettled([read('1'), read('1'), read('1')]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(read('1')).rejects.toThrow('429');
    expect(state.asked).toBe(1);
  });
});
