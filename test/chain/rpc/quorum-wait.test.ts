import { setTimeout as sleep } from 'node:timers/promises';
import { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { agreedValue } from '../../../chain/lanes/lane-reading.ts';
import { createRpc, type Rpc } from '../../../chain/rpc/rpc.ts';
import { type Script, startScriptedNode } from '../../support/rpc/scripted-node.ts';

const KEY = PublicKey.default.toBase58();
const SIGNATURE = '5'.repeat(88);
const HASH = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM';

/** Longer than any grace, ms. */
const SLOW_MS = 2_600;

/** Responses of a node at this slot; honest ones are at the same. */
function nodeAt(slot: number): Script {
  const value = (of: unknown) => ({ context: { slot }, value: of });
  const supply = Buffer.alloc(8);
  supply.writeBigUInt64LE(BigInt(slot));
  const account = (bytes: Buffer) => ({ lamports: slot, owner: KEY, data: [bytes.toString('base64'), 'base64'] });
  const results: Record<string, unknown> = {
    getEpochInfo: { absoluteSlot: slot, blockHeight: slot, epoch: slot },
    getLatestBlockhash: value({ blockhash: slot === HONEST ? HASH : KEY, lastValidBlockHeight: slot + 150 }),
    isBlockhashValid: value(true),
    getBlock: { blockhash: slot === HONEST ? HASH : KEY, blockHeight: slot },
    getBalance: value(slot),
    getMinimumBalanceForRentExemption: slot,
    getMultipleAccounts: value([account(supply)]),
    getSignatureStatuses: value([{ slot, err: null, confirmations: null, confirmationStatus: 'finalized' }]),
    getFirstAvailableBlock: 0,
  };
  return ({ method }) => ({ result: results[method] });
}

const HONEST = 1_000_000;
const LIAR = 9_000_000;

const slow =
  (script: Script): Script =>
  async (request) => {
    await sleep(SLOW_MS);
    return script(request);
  };

/** Facts that a quorum confirms, by name; each is the honest slot, or is derived from it. */
const FACTS: Readonly<Record<string, (rpc: Rpc) => Promise<unknown>>> = {
  lanes: async (rpc) => agreedValue(await rpc.readLanes([KEY]), KEY),
  'values of lanes': async (rpc) => agreedValue(await rpc.readLaneValues([KEY]), KEY),
  'the head': async (rpc) => (await rpc.agreedHead('finalized')).slot,
  'the final head': (rpc) => rpc.finalHead(),
  'the epoch': (rpc) => rpc.agreedEpoch(),
  'a rent': (rpc) => rpc.agreedRent(1),
  accounts: async (rpc) => (await rpc.agreedAccounts([KEY])).get(KEY)?.lamports,
  'what accounts show': async (rpc) => (await rpc.accountsByEndpoint([KEY])).agreed(KEY, (one) => one?.lamports),
  'a finalized reading': async (rpc) => (await rpc.finalizedReading([KEY])).agreedSlot,
  'a block': async (rpc) => (await rpc.blockAt(1)).blockHeight,
  'a blockhash': async (rpc) => (await rpc.agreedBlockhash()).slot,
  'what a transaction would do': async (rpc) => {
    const asked = await rpc.foundByQuorum(
      (connection) => connection.getSlot('finalized').catch(() => connection.getBlockHeight('finalized')),
      (slot) => (slot === HONEST ? 'success' : 'refusal'),
    );
    return asked[0];
  },
  'a status': async (rpc) => (await rpc.signatureStatuses([SIGNATURE]))[0]?.slot,
};

const heights: Script = (request) => (request.method === 'getSlot' ? { result: HONEST } : nodeAt(HONEST)(request));
const lies: Script = (request) => (request.method === 'getSlot' ? { result: LIAR } : nodeAt(LIAR)(request));

describe('one quick liar of three ends no wait for a quorum', () => {
  it.each([
    ['whose answers are both slow', slow(heights), slow(heights)],
    ['of which one is slow', heights, slow(heights)],
  ])('%s', async (_what, first, second) => {
    await using liar = await startScriptedNode(lies);
    await using one = await startScriptedNode(first);
    await using other = await startScriptedNode(second);
    const said = await Promise.all(
      Object.entries(FACTS).map(async ([what, ask]) => {
        const rpc = createRpc({ endpoints: [liar.url, one.url, other.url], timeoutMs: 60_000 });
        return [what, await ask(rpc).then(Number, String)];
      }),
    );
    expect(said).toEqual(Object.keys(FACTS).map((what) => [what, HONEST]));
  });
});

it('an endpoint that did not respond a moment ago is not waited for until its time is over', async () => {
  let isSilent = false;
  await using there = await startScriptedNode(nodeAt(HONEST));
  await using away = await startScriptedNode(() => (isSilent ? 'silence' : { raw: '', status: 503 }));
  const rpc = createRpc({ endpoints: [there.url, away.url], timeoutMs: 3_600_000 });
  await expect(rpc.agreedHead('finalized')).rejects.toThrow('no 2 RPC endpoints');
  isSilent = true;
  await expect(rpc.agreedHead('finalized')).rejects.toThrow('no 2 RPC endpoints');
});
