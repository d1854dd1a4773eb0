import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { tokenAccountOf } from '../../../chain/tokens/associated-account.ts';
import { type ScriptedAnswer, type ScriptedNode, startScriptedNode } from '../../support/rpc/scripted-node.ts';

const [mint, honest, friend] = Array.from({ length: 3 }, () => Keypair.generate().publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
];

/** An endpoint by which these owners hold so much at a slot, each in two accounts. */
function nodeSaying(slot: number, holders: readonly (readonly [PublicKey, bigint])[]): Promise<ScriptedNode> {
  const accountOf = (owner: PublicKey, raw: bigint) => {
    const data = Buffer.alloc(40);
    owner.toBuffer().copy(data);
    data.writeBigUInt64LE(raw, 32);
    const pubkey = Keypair.generate().publicKey.toBase58();
    return { pubkey, account: { data: [data.toString('base64'), 'base64'] } };
  };
  const value = holders.flatMap(([owner, raw]) => [accountOf(owner, raw - 1n), accountOf(owner, 1n)]);
  return startScriptedNode(() => ({ result: { context: { slot }, value } }));
}

/** An endpoint by which these accounts (base58) hold nothing and withhold so much tax, at slot 100. */
function nodeWithTax(taxes: Readonly<Record<string, bigint>>): Promise<ScriptedNode> {
  const value = Object.entries(taxes).map(([pubkey, raw]) => {
    const data = Buffer.alloc(150);
    data[133] = 2;
    data.writeUInt16LE(2, 134);
    data.writeUInt16LE(8, 136);
    data.writeBigUInt64LE(raw, 138);
    return { pubkey, account: { data: [data.toString('base64'), 'base64'] } };
  });
  return startScriptedNode(() => ({ result: { context: { slot: 100 }, value } }));
}

/** An account (base58) with a unit. */
type Account = readonly [account: string, owner: PublicKey];

function nodeNaming(accounts: readonly Account[]): Promise<ScriptedNode> {
  const value = accounts.map(([pubkey, owner]) => {
    const data = Buffer.alloc(40);
    owner.toBuffer().copy(data);
    data.writeBigUInt64LE(1n, 32);
    return { pubkey, account: { data: [data.toString('base64'), 'base64'] } };
  });
  return startScriptedNode(() => ({ result: { context: { slot: 100 }, value } }));
}

const some = (count: number, owner: PublicKey): Account[] =>
  Array.from({ length: count }, () => [Keypair.generate().publicKey.toBase58(), owner] as const);

const namesOf = (accounts: readonly Account[]) => accounts.map(([account]) => account).sort();

const associatedOf = (owner: PublicKey) =>
  [tokenAccountOf({ mint, tokenProgram: TOKEN_2022_PROGRAM_ID, decimals: 6 }, owner).toBase58(), owner] as const;

async function othersBy(...nodes: readonly ScriptedNode[]) {
  const rpc = createRpc({ endpoints: nodes.map(({ url }) => url) });
  const which = { mint, tokenProgram: TOKEN_2022_PROGRAM_ID, minContextSlot: 100, withOtherAccounts: true };
  return (await rpc.agreedHolders(which)).otherAccounts;
}

const broken = (): ScriptedAnswer => ({ status: 503, raw: 'away' });

/** Result that these nodes agree on at slot 100. */
function ask(...nodes: readonly ScriptedNode[]) {
  const rpc = createRpc({ endpoints: nodes.map(({ url }) => url) });
  return rpc.agreedHolders({ mint, tokenProgram: TOKEN_2022_PROGRAM_ID, minContextSlot: 100, withTax: true });
}

describe('the holders of a token', () => {
  it('are what the only endpoint says', async () => {
    await using one = await nodeSaying(103, [[honest, 50n]]);
    const balances = new Map([[honest.toBase58(), 50n]]);
    expect(await ask(one)).toEqual({
      balances,
      slot: 103,
      slots: [103],
      quorum: 1,
      disputed: 0,
      withheld: [],
      held: expect.any(Array) as unknown,
      otherAccounts: new Map(),
    });
  });

  it('are no greater for what one of two endpoints makes up', async () => {
    await using liar = await nodeSaying(900, [
      [friend, 10n ** 15n],
      [honest, 70n],
    ]);
    await using other = await nodeSaying(101, [[honest, 50n]]);
    const balances = new Map([[honest.toBase58(), 50n]]);
    const slots = { slot: 101, slots: [900, 101], quorum: 2 };
    expect(await ask(liar, other)).toEqual({
      ...slots,
      balances,
      disputed: 2,
      withheld: [],
      held: [],
      otherAccounts: new Map(),
    });
  });

  it('are neither greater nor smaller for what one of three says, nor for its silence', async () => {
    const truth = [[honest, 50n]] as const;
    await using first = await nodeSaying(101, truth);
    await using second = await nodeSaying(102, truth);
    await using liar = await nodeSaying(103, [[friend, 10n ** 15n]]);
    const { balances } = await ask(liar, first, second);
    expect(balances).toEqual(new Map([[honest.toBase58(), 50n]]));
    await using silent = await startScriptedNode(broken);
    expect((await ask(silent, first, second)).balances).toEqual(balances);
  });

  it('are not known while one of two endpoints is away, or behind the slot that is asked for', async () => {
    await using one = await nodeSaying(101, [[honest, 50n]]);
    await using away = await startScriptedNode(broken);
    await expect(ask(one, away)).rejects.toThrow(`1 of 2 RPC endpoints say who holds ${mint.toBase58()} at slot 100`);
    await using behind = await nodeSaying(99, [[honest, 50n]]);
    await expect(ask(one, behind)).rejects.toThrow('answered slot 99, older than 100');
  });

  it('have tax withheld only where a quorum says so, and no more than it says', async () => {
    const [mine, theirs, invented] = [Keypair, Keypair, Keypair].map((kind) => kind.generate().publicKey.toBase58());
    const truth = { [mine!]: 40n, [theirs!]: 90n };
    await using liar = await nodeWithTax({ [mine!]: 10n ** 15n, [invented!]: 10n ** 15n });
    await using first = await nodeWithTax(truth);
    await using second = await nodeWithTax(truth);
    const { withheld } = await ask(liar, first, second);
    expect(withheld).toEqual([
      { account: theirs, raw: 90n },
      { account: mine, raw: 40n },
    ]);
    await using garbled = await nodeWithTax({ 'no address': 5n });
    await expect(ask(garbled)).rejects.toThrow('an account whose address is none');
  });
});

describe('the accounts of a token that are not their owner’s associated one', () => {
  it('are named by owner, also where the owner has no other', async () => {
    const [second, alone] = [some(1, honest), some(2, friend)];
    await using node = await nodeNaming([associatedOf(honest), ...second, ...alone]);
    const named = [
      [honest.toBase58(), namesOf(second)],
      [friend.toBase58(), namesOf(alone)],
    ];
    expect([...(await othersBy(node))]).toEqual(named);
  });

  it('are none of hundreds of associated ones', async () => {
    const owners = Array.from({ length: 300 }, () => Keypair.generate().publicKey);
    await using node = await nodeNaming(owners.map(associatedOf));
    expect(await othersBy(node)).toEqual(new Map());
  });

  it('are not named beyond sixteen of an owner', async () => {
    await using most = await nodeNaming(some(16, honest));
    expect((await othersBy(most)).get(honest.toBase58())).toHaveLength(16);
    const many = some(17, honest);
    const nodes = await Promise.all([nodeNaming(many), nodeNaming(many)]);
    expect(await othersBy(...nodes)).toEqual(new Map([[honest.toBase58(), '+']]));
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  });

  it('are neither named by one liar, nor hidden by one of three', async () => {
    const truth = some(2, honest);
    const [stolen] = associatedOf(friend);
    await using first = await nodeNaming(truth);
    await using second = await nodeNaming(truth);
    const expected = new Map([[honest.toBase58(), namesOf(truth)]]);
    for (const lie of [
      [...truth, [stolen, honest], [stolen, honest]] as const,
      [
        [stolen, honest],
        [stolen, honest],
      ] as const,
      some(20, honest),
      truth.map(([account]) => [account, friend] as const),
    ]) {
      await using liar = await nodeNaming(lie);
      expect(await othersBy(liar, first, second)).toEqual(expected);
      const ofTwo = await othersBy(liar, first);
      expect(namesOf(truth)).toEqual(expect.arrayContaining([...(ofTwo.get(honest.toBase58()) ?? [])]));
      expect(ofTwo.has(friend.toBase58())).toBe(false);
    }
  });
});
