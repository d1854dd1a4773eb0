import { describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { startScriptedNode } from '../../support/rpc/scripted-node.ts';

const HASH = '9'.repeat(44);

const answer = (slot: number) => ({
  result: { context: { slot }, value: { blockhash: HASH, lastValidBlockHeight: slot + 150 } },
});

describe('the final head', () => {
  it('is as far as a quorum has come', async () => {
    await using ahead = await startScriptedNode(() => answer(101));
    await using first = await startScriptedNode(() => answer(100));
    await using second = await startScriptedNode(() => answer(100));
    const head = (...nodes: { readonly url: string }[]) =>
      createRpc({ endpoints: nodes.map(({ url }) => url) }).finalHead();
    expect(await head(first)).toBe(100);
    expect(await head(ahead, first, second)).toBe(100);
    expect(await head(ahead, first)).toBe(100);
  });

  it('is no word of one endpoint that is far from the others', async () => {
    await using far = await startScriptedNode(() => answer(10_000));
    await using first = await startScriptedNode(() => answer(100));
    const rpc = createRpc({ endpoints: [far.url, first.url] });
    await expect(rpc.finalHead()).rejects.toThrow('no 2 RPC endpoints are near the same slot: 10000, 100');
  });

  it('is asked for once a slot, and again at once where it could not be had', async () => {
    let [asked, slot, now] = [0, 0, 0];
    await using node = await startScriptedNode(() => {
      asked += 1;
      return slot === 0 ? { status: 503, raw: 'away' } : answer(slot);
    });
    const rpc = createRpc({ endpoints: [node.url], now: () => now });
    await expect(rpc.finalHead()).rejects.toThrow();
    [slot, asked] = [7, 0];
    const both = await Promise.all([rpc.finalHead(), rpc.finalHead()]);
    expect(both).toEqual([7, 7]);
    [slot, now] = [8, 399];
    expect([await rpc.finalHead(), asked]).toEqual([7, 1]);
    now = 400;
    expect([await rpc.finalHead(), asked]).toEqual([8, 2]);
  });
});
