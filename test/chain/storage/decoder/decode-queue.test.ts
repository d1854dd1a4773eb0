import { describe, expect, it } from 'vitest';
import { createDecodeQueue } from '../../../../chain/storage/decoder/decode-queue.ts';

/** How many are decoded at once, and how many may wait beside them. */
const [AT_ONCE, WAITING] = [2, 30];

describe('a crowd of logos', () => {
  const queue = () => createDecodeQueue({ atOnce: AT_ONCE, mostWaiting: WAITING });

  it('is decoded two at a time in the order of asking, and one that comes when thirty wait is told to come back', async () => {
    const inDecodeQueue = queue();
    const begun: number[] = [];
    const ends = Array.from({ length: AT_ONCE + WAITING }, () => Promise.withResolvers<void>());
    let [running, most] = [0, 0];
    const decoded = ends.map(({ promise }, index) =>
      inDecodeQueue(async () => {
        begun.push(index);
        most = Math.max(most, (running += 1));
        await promise;
        running -= 1;
      }),
    );
    expect(begun).toEqual([0, 1]);
    await expect(inDecodeQueue(() => Promise.resolve())).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('too many logos') as string,
    });
    for (const [index, { resolve }] of ends.entries()) {
      resolve();
      await decoded[index];
    }
    expect(begun).toEqual(ends.map((_, index) => index));
    expect(most).toBe(AT_ONCE);
  });

  it('of which one is damaged gives its place to the next', async () => {
    const inDecodeQueue = queue();
    const damaged = Array.from({ length: AT_ONCE }, () => inDecodeQueue(() => Promise.reject(new Error('damaged'))));
    const next = inDecodeQueue(() => Promise.resolve('decoded'));
    for (const one of damaged) await expect(one).rejects.toThrow('damaged');
    expect(await next).toBe('decoded');
  });
});
