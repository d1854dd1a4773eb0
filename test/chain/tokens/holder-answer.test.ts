import { randomBytes } from 'node:crypto';
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { addressTexts } from '../../../chain/tokens/address-text.ts';
import { MOST_WITHHELD } from '../../../chain/tokens/holder-answer.ts';
import { startScriptedNode } from '../../support/rpc/scripted-node.ts';

const mint = Keypair.generate().publicKey;
const token = { mint, tokenProgram: TOKEN_2022_PROGRAM_ID };

interface Held {
  readonly owner: Uint8Array;
  readonly raw: bigint;
  readonly withheld?: bigint;
}

/** An account from its owner on, with an immutable owner and the tax that it withholds. */
function accountOf({ owner, raw, withheld = 0n }: Held) {
  const data = Buffer.alloc(150);
  data.set(owner);
  data.writeBigUInt64LE(raw, 32);
  data[133] = 2;
  data.writeUInt16LE(7, 134);
  data.writeUInt16LE(2, 138);
  data.writeUInt16LE(8, 140);
  data.writeBigUInt64LE(withheld, 142);
  const pubkey = new PublicKey(randomBytes(32)).toBase58();
  return { pubkey, account: { data: [data.toString('base64'), 'base64'] } };
}

function nodeWith(held: readonly Held[]) {
  const value = held.map(accountOf);
  return startScriptedNode(() => ({ result: { context: { slot: 7 }, value } }));
}

/** Enough of them that their answer is read in a thread. */
const crowd = (count: number): Held[] =>
  Array.from({ length: count }, (_, index) => ({
    owner: randomBytes(32),
    raw: BigInt(index % 50),
    withheld: BigInt(index),
  }));

/** The same, put together one by one. */
function expected(held: readonly Held[]) {
  const balances = new Map<string, bigint>();
  for (const { owner, raw } of held) {
    const key = new PublicKey(owner).toBase58();
    balances.set(key, (balances.get(key) ?? 0n) + raw);
  }
  return new Map([...balances].filter(([, raw]) => raw > 0n));
}

/** Accounts that hold something, by owner: none is an associated one. */
function accountsEach(held: readonly Held[]) {
  const full = held.filter(({ raw }) => raw > 0n);
  const byOwner = Map.groupBy(full, ({ owner }) => new PublicKey(owner).toBase58());
  return new Map([...byOwner].map(([owner, { length }]) => [owner, length]));
}

describe('the accounts of a token', () => {
  it.each([5, 3_000])('are added up by owner, the greatest first, of %i accounts', async (count) => {
    const all = crowd(count);
    const held = [...all, { owner: all[1]!.owner, raw: 10n ** 15n }];
    await using node = await nodeWith(held);
    const rpc = createRpc({ endpoints: [node.url] });
    const { holders, total, slot } = await rpc.holders(token);
    expect([slot, total]).toEqual([7, holders.length]);
    expect(new Map(holders.map(({ owner, raw }) => [owner.toBase58(), raw]))).toEqual(expected(held));
    const ordered = holders.toSorted((a, b) =>
      a.raw === b.raw ? Buffer.compare(a.owner.toBuffer(), b.owner.toBuffer()) : a.raw > b.raw ? -1 : 1,
    );
    expect(holders).toEqual(ordered);
    const greatest = await rpc.holders(token, 3);
    expect(greatest).toMatchObject({ slot, total, holders: holders.slice(0, 3) });
    expect(await rpc.holders(token, 0)).toMatchObject({ slot, total, holders: [] });
    const observed = await rpc.agreedHolders({ ...token, minContextSlot: 7, withTax: true, withOtherAccounts: true });
    expect(observed.balances).toEqual(expected(held));
    const named = [...observed.otherAccounts].map(([owner, accounts]) => [owner, accounts.length]);
    expect(new Map(named as [string, number][])).toEqual(accountsEach(held));
    const taxes = held.flatMap(({ withheld = 0n }) => (withheld > 0n ? [withheld] : []));
    expect(observed.withheld.map(({ raw }) => raw)).toEqual(taxes.toSorted((a, b) => Number(b - a)));
    expect(await rpc.withheldTax(mint)).toEqual(observed.withheld);
  });

  it('name no more accounts with withheld tax than a round withdraws', async () => {
    const held = crowd(MOST_WITHHELD + 10);
    await using node = await nodeWith(held);
    const withheld = await createRpc({ endpoints: [node.url] }).withheldTax(mint);
    expect([withheld.length, withheld.at(-1)?.raw]).toEqual([MOST_WITHHELD, 10n]);
  });

  it('are not known by an error, by what is no JSON, nor by another shape', async () => {
    const asked = async (answer: Parameters<typeof startScriptedNode>[0]) => {
      await using node = await startScriptedNode(answer);
      return await createRpc({ endpoints: [node.url] }).holders(token);
    };
    await expect(asked(() => ({ error: { code: -32_016, message: 'Minimum context slot' } }))).rejects.toThrow(
      'Minimum context slot',
    );
    await expect(asked(() => ({ raw: '<html>' }))).rejects.toThrow('answered an unexpected shape');
    await expect(asked(() => ({ result: [] }))).rejects.toThrow('neither a slot nor accounts');
    const pair = { pubkey: 'x', account: { data: 'AAAA' } };
    const long = { context: { slot: 7 }, value: Array.from({ length: 20_000 }, () => pair) };
    await expect(asked(() => ({ result: long }))).rejects.toThrow('an account without data in base64');
  });
});

it('addresses one after the other read as each by itself, also those that begin with zeros', () => {
  const addresses = Array.from({ length: 500 }, (_, index) => randomBytes(32).fill(0, 0, index % 5));
  addresses.push(Buffer.alloc(32), Buffer.alloc(32, 255));
  const texts = addresses.map((address) => new PublicKey(address).toBase58());
  expect(addressTexts(Buffer.concat(addresses)).split(' ')).toEqual(texts);
});
