import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { type ScriptedNode, startScriptedNode } from '../../support/rpc/scripted-node.ts';

const someone = () => Keypair.generate().publicKey.toBase58();
const [OPEN, CLOSED, PAID_ONLY] = [someone(), someone(), someone()];
const OWNER = someone();

/** What lies at an address at the n-th reading: data, lamports alone or nothing. */
type Lie = (address: string, reading: number) => 'data' | 'lamports' | 'nothing';

const truth: Lie = (address) => {
  if (address === PAID_ONLY) return 'lamports';
  return address === OPEN ? 'data' : 'nothing';
};

/** A node that says this of all accounts. */
function nodeSaying(lie: Lie): Promise<ScriptedNode> {
  let reading = 0;
  return startScriptedNode(({ params: [addresses] }) => {
    reading += 1;
    const value = (addresses as string[]).map((address) => {
      const there = lie(address, reading);
      if (there === 'nothing') return null;
      return { lamports: 2_039_280, owner: OWNER, data: [there === 'data' ? 'AAAA' : '', 'base64'] };
    });
    return { result: { context: { slot: 7 }, value } };
  });
}

const presentBy = async (...nodes: ScriptedNode[]) => {
  const rpc = createRpc({ endpoints: nodes.map(({ url }) => url) });
  return [...(await rpc.presentAccounts([OPEN, CLOSED, PAID_ONLY]))];
};

describe('whether an account is there', () => {
  it('is what a quorum says, whatever one of three does; lamports alone are no account', async () => {
    await using a = await nodeSaying(truth);
    await using b = await nodeSaying(truth);
    await using liar = await nodeSaying((address) => (address === OPEN ? 'nothing' : 'data'));
    expect(await presentBy(liar, a, b)).toEqual([OPEN]);
    expect(a.requests).toHaveLength(1);
    expect(await presentBy(a)).toEqual([OPEN]);
  });

  it.each<[string, string, Lie]>([
    ['hides one', OPEN, () => 'nothing'],
    ['shows one that is not', CLOSED, () => 'data'],
  ])('is said by nobody where one of two %s all the time', async (_what, about, lie) => {
    await using honest = await nodeSaying(truth);
    await using liar = await nodeSaying((address, reading) => (address === about ? lie : truth)(address, reading));
    await expect(presentBy(honest, liar)).rejects.toThrow(`1 of 3 accounts are there, such as ${about}`);
  });

  it('is what was said when both said it where one of two says now this, now that', async () => {
    await using honest = await nodeSaying(truth);
    await using liar = await nodeSaying((address, reading) =>
      reading % 2 === 0 ? truth(address, reading) : 'nothing',
    );
    expect(await presentBy(honest, liar)).toEqual([OPEN]);
  });

  it('is asked again where one of two is a slot behind', async () => {
    await using ahead = await nodeSaying(truth);
    await using behind = await nodeSaying((address, reading) => (reading === 1 ? 'nothing' : truth(address, reading)));
    expect(await presentBy(ahead, behind)).toEqual([OPEN]);
    expect(ahead.requests.map(({ params }) => (params[0] as string[]).length)).toEqual([3, 1]);
  });

  it('is no for one that its owner opens and closes all the time, and keeps nobody else from an answer', async () => {
    const flapping =
      (phase: number): Lie =>
      (address, reading) => {
        if (address !== CLOSED) return truth(address, reading);
        return reading % 2 === phase ? 'data' : 'nothing';
      };
    await using one = await nodeSaying(flapping(0));
    await using other = await nodeSaying(flapping(1));
    expect(await presentBy(one, other)).toEqual([OPEN]);
  });
});
