import { describe, expect, it } from 'vitest';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';

describe('work in parallel', () => {
  it('is answered in the order of its items, never with more at once than allowed', async () => {
    let [now, most] = [0, 0];
    const answers = await inParallel(2, [3, 1, 2], async (item) => {
      most = Math.max(most, ++now);
      await Promise.resolve();
      now--;
      return item * 10;
    });
    expect(answers).toEqual([30, 10, 20]);
    expect(most).toBe(2);
  });

  it('that fails begins nothing more, and is told only once what was begun has ended', async () => {
    const slow = Promise.withResolvers<void>();
    const [begun, ended]: [string[], string[]] = [[], []];
    const work = inParallel(2, ['fails', 'slow', 'later'], async (item) => {
      begun.push(item);
      if (item === 'fails') throw new Error('it failed');
      await slow.promise;
      ended.push(item);
    });
    const told = work.then(
      () => 'done',
      () => `told after [${ended.join()}]`,
    );
    setImmediate(() => slow.resolve());
    expect(await told).toBe('told after [slow]');
    await expect(work).rejects.toThrow('it failed');
    expect(begun).toEqual(['fails', 'slow']);
  });
});
