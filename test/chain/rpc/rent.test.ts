import { describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { startScriptedNode } from '../../support/rpc/scripted-node.ts';

const nodeSaying = (rent: number) => startScriptedNode(() => ({ result: rent }));

describe('the rent of an account', () => {
  it('is what a quorum of endpoints says, whatever one of three does', async () => {
    await using liar = await nodeSaying(10 ** 12);
    await using first = await nodeSaying(2_039_280);
    await using second = await nodeSaying(2_039_280);
    const rpc = createRpc({ endpoints: [liar.url, first.url, second.url] });
    expect(await rpc.agreedRent(165)).toBe(2_039_280n);
    const two = createRpc({ endpoints: [liar.url, first.url] });
    await expect(two.agreedRent(165)).rejects.toThrow(
      'no quorum of RPC endpoints says the same rent of 165 bytes: 1000000000000, 2039280',
    );
  });

  it('is asked for once a minute for each size, and again at once where it could not be had', async () => {
    let [asked, answer, now] = [0, 'none' as 'none' | number, 0];
    await using node = await startScriptedNode(() => {
      asked += 1;
      return answer === 'none' ? { status: 503, raw: 'away' } : { result: answer };
    });
    const rpc = createRpc({ endpoints: [node.url], now: () => now });
    await expect(rpc.agreedRent(165)).rejects.toThrow();
    answer = 7;
    asked = 0;
    expect(await Promise.all([rpc.agreedRent(165), rpc.agreedRent(165), rpc.agreedRent(82)])).toEqual([7n, 7n, 7n]);
    now = 59_999;
    expect([await rpc.agreedRent(165), asked]).toEqual([7n, 2]);
    now = 60_000;
    answer = 8;
    expect([await rpc.agreedRent(165), asked]).toEqual([8n, 3]);
  });
});
