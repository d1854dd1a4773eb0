import { describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { type ScriptedAnswer, type ScriptedRequest, startScriptedNode } from '../../support/rpc/scripted-node.ts';

const hashOf = (slot: number) => `${slot}`.padStart(44, '1');

/** Slot of each block of a chain, with its hash. */
type Blocks = ReadonlyMap<number, { readonly hash: string; readonly parent: number }>;

/** A chain of blocks in these slots. */
function blocksIn(slots: readonly number[], hash = hashOf): Blocks {
  return new Map(slots.map((slot, index) => [slot, { hash: hash(slot), parent: slots[index - 1] ?? slot - 1 }]));
}

const CONFIG = { commitment: 'finalized' };

/** A node that has these blocks; the first ones it may have pruned. */
function nodeOf(blocks: Blocks, prunedBefore = 0) {
  const has = (slot: number) => slot >= prunedBefore && blocks.has(slot);
  return startScriptedNode(({ method, params }: ScriptedRequest): ScriptedAnswer => {
    const [slot] = params;
    if (typeof slot !== 'number') throw new Error(`${method} names no slot`);
    expect(params.at(-1)).toMatchObject(CONFIG);
    if (method === 'getBlocksWithLimit')
      return { result: [...blocks.keys()].filter((one) => one >= slot && has(one)).slice(0, 1) };
    const block = has(slot) ? blocks.get(slot) : undefined;
    if (!block) return { error: { code: -32_007, message: `Slot ${slot} was skipped` } };
    return { result: { blockhash: block.hash, blockHeight: 1, parentSlot: block.parent } };
  });
}

const rpcOf = (...nodes: readonly { readonly url: string }[]) => createRpc({ endpoints: nodes.map(({ url }) => url) });

describe('the first block from a slot on', () => {
  it('is in that slot, or in the next that was not skipped, and finalized', async () => {
    await using node = await nodeOf(blocksIn([98, 100, 103]));
    const rpc = rpcOf(node);
    expect(await rpc.firstBlock(100)).toEqual({ slot: 100, blockhash: hashOf(100) });
    expect(await rpc.firstBlock(101)).toEqual({ slot: 103, blockhash: hashOf(103) });
  });

  it('is what a quorum has, whatever one endpoint invents', async () => {
    await using liar = await nodeOf(blocksIn([99, 100, 101], () => '9'.repeat(44)));
    const truth = blocksIn([99, 102]);
    await using first = await nodeOf(truth);
    await using second = await nodeOf(truth);
    expect(await rpcOf(liar, first, second).firstBlock(100)).toEqual({ slot: 102, blockhash: hashOf(102) });
    await expect(rpcOf(liar, first).firstBlock(100)).rejects.toThrow(
      'no 2 RPC endpoints have the same first block from slot 100 on',
    );
  });

  it('is not a later one where endpoints pruned, or lack, the blocks before it', async () => {
    const blocks = blocksIn([99, 100, 101]);
    await using pruned = await nodeOf(blocks, 101);
    await using behind = await nodeOf(blocksIn([99]));
    await expect(rpcOf(pruned).firstBlock(100)).rejects.toThrow('lacks blocks between slots 100 and 101');
    await expect(rpcOf(behind).firstBlock(100)).rejects.toThrow('has no finalized block from slot 100 on');
    await using whole = await nodeOf(blocks);
    await expect(rpcOf(pruned, whole).firstBlock(100)).rejects.toThrow();
    await using other = await nodeOf(blocks);
    expect(await rpcOf(pruned, whole, other).firstBlock(100)).toEqual({ slot: 100, blockhash: hashOf(100) });
  });

  it('is read once for all rounds, and again where it could not be had', async () => {
    let isAway = true;
    await using node = await startScriptedNode(() =>
      isAway ? { status: 503, raw: 'away' } : { result: { blockhash: hashOf(7), parentSlot: 6 } },
    );
    const rpc = rpcOf(node);
    await expect(rpc.firstBlock(7)).rejects.toThrow();
    isAway = false;
    const before = node.requests.length;
    await Promise.all([rpc.firstBlock(7), rpc.firstBlock(7)]);
    await rpc.firstBlock(7);
    expect(node.requests.length - before).toBe(1);
  });
});
