import {
  ACCOUNT_SIZE,
  AccountLayout,
  AccountState,
  AccountType,
  ExtensionType,
  getAccountLen,
  getAssociatedTokenAddressSync,
  getMintLen,
  MintLayout,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  TransferFeeAmountLayout,
  TransferFeeConfigLayout,
} from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { type ScriptedNode, startScriptedNode } from '../../support/rpc/scripted-node.ts';

const address = () => Keypair.generate().publicKey;
const [mint, otherMint, alice, bob] = [address(), address(), address(), address()] as const;

/** Bytes of an account of Token-2022 with one extension. */
function withExtension(
  plain: Buffer,
  length: number,
  kind: AccountType,
  type: ExtensionType,
  extension: Buffer,
): Buffer {
  const data = Buffer.alloc(length);
  plain.copy(data);
  data[ACCOUNT_SIZE] = kind;
  data.writeUInt16LE(type, ACCOUNT_SIZE + 1);
  data.writeUInt16LE(extension.length, ACCOUNT_SIZE + 3);
  extension.copy(data, ACCOUNT_SIZE + 5);
  return data;
}

function mintData(supply: bigint, withheld: bigint): Buffer {
  const plain = Buffer.alloc(MintLayout.span);
  const nobody = PublicKey.default;
  MintLayout.encode(
    {
      mintAuthorityOption: 0,
      mintAuthority: nobody,
      supply,
      decimals: 9,
      isInitialized: true,
      freezeAuthorityOption: 0,
      freezeAuthority: nobody,
    },
    plain,
  );
  const extension = Buffer.alloc(TransferFeeConfigLayout.span);
  const fee = { epoch: 0n, maximumFee: 0n, transferFeeBasisPoints: 100 };
  TransferFeeConfigLayout.encode(
    {
      transferFeeConfigAuthority: nobody,
      withdrawWithheldAuthority: nobody,
      withheldAmount: withheld,
      olderTransferFee: fee,
      newerTransferFee: fee,
    },
    extension,
  );
  const { TransferFeeConfig } = ExtensionType;
  return withExtension(plain, getMintLen([TransferFeeConfig]), AccountType.Mint, TransferFeeConfig, extension);
}

/** An account as a node has it. */
interface Held {
  readonly account: string;
  readonly owner: PublicKey;
  readonly raw: bigint;
  readonly tax?: bigint;
  readonly of?: PublicKey;
  readonly program?: PublicKey;
}

function accountData({ owner, raw, tax = 0n, of = mint }: Held): Buffer {
  const plain = Buffer.alloc(AccountLayout.span);
  AccountLayout.encode(
    {
      mint: of,
      owner,
      amount: raw,
      delegateOption: 0,
      delegate: PublicKey.default,
      delegatedAmount: 0n,
      state: AccountState.Initialized,
      isNativeOption: 0,
      isNative: 0n,
      closeAuthorityOption: 0,
      closeAuthority: PublicKey.default,
    },
    plain,
  );
  const extension = Buffer.alloc(TransferFeeAmountLayout.span);
  TransferFeeAmountLayout.encode({ withheldAmount: tax }, extension);
  const { TransferFeeAmount } = ExtensionType;
  return withExtension(plain, getAccountLen([TransferFeeAmount]), AccountType.Account, TransferFeeAmount, extension);
}

/** What a node has of a token at slot 100, and at 101 from its second answer on where the chain `moves`. */
interface Ledger {
  readonly supply: bigint;
  readonly mintTax?: bigint;
  readonly accounts: readonly Held[];
  readonly moves?: true;
}

/** A node that knows accounts by their addresses and, as every node, by their mint. */
function nodeWith({ supply, mintTax = 0n, accounts, moves }: Ledger): Promise<ScriptedNode> {
  const asJson = (data: Buffer, program = TOKEN_2022_PROGRAM_ID) => ({
    lamports: 1,
    owner: program.toBase58(),
    executable: false,
    rentEpoch: 0,
    data: [data.toString('base64'), 'base64'],
  });
  const byAddress = new Map(accounts.map((one) => [one.account, asJson(accountData(one), one.program)]));
  byAddress.set(mint.toBase58(), asJson(mintData(supply, mintTax)));
  let answers = 0;
  return startScriptedNode(({ method, params }) => {
    const context = { slot: moves && answers++ > 0 ? 101 : 100 };
    if (method === 'getMultipleAccounts') {
      const [asked] = params as [string[]];
      return { result: { context, value: asked.map((one) => byAddress.get(one) ?? null) } };
    }
    const of = accounts.filter((one) => (one.of ?? mint).equals(mint) && !one.program);
    const value = of.map((one) => ({
      pubkey: one.account,
      account: asJson(accountData(one).subarray(32, 32 + 182)),
    }));
    return { result: { context, value } };
  });
}

function ask(accounts: readonly string[], ...nodes: readonly ScriptedNode[]) {
  const rpc = createRpc({ endpoints: nodes.map(({ url }) => url) });
  const which = { mint, tokenProgram: TOKEN_2022_PROGRAM_ID, minContextSlot: 100, withTax: true };
  return rpc.agreedHolders({ ...which, accounts });
}

const methodsOf = ({ requests }: ScriptedNode): string[] => requests.map(({ method }) => method);
const held = (owner: PublicKey, raw: bigint, rest: Partial<Held> = {}): Held => ({
  account: address().toBase58(),
  owner,
  raw,
  ...rest,
});

describe('the accounts of a taxed token that are known', () => {
  const [first, second, third] = [held(alice, 50n), held(bob, 30n, { tax: 5n }), held(alice, 0n, { tax: 8n })];
  const truth = { supply: 100n, mintTax: 7n, accounts: [first, second, third] };
  const known = [first, second, third].map(({ account }) => account);
  const expected = {
    balances: new Map([
      [alice.toBase58(), 50n],
      [bob.toBase58(), 30n],
    ]),
    slot: 100,
    slots: [100],
    quorum: 1,
    disputed: 0,
    withheld: [
      { account: third.account, raw: 8n },
      { account: second.account, raw: 5n },
    ],
    held: known,
    otherAccounts: new Map(),
  };

  it('are read with one call, without a search, where the whole supply lies in them', async () => {
    await using node = await nodeWith(truth);
    const accounts = [...known, address().toBase58()];
    expect(await ask(accounts, node)).toEqual(expected);
    const how = { commitment: 'finalized', minContextSlot: 100, encoding: 'base64' };
    expect(node.requests).toMatchObject([{ method: 'getMultipleAccounts' }]);
    expect(node.requests[0]?.params).toEqual([[mint.toBase58(), ...accounts], how]);
  });

  it('are searched for where one is missing, and told for the next time', async () => {
    await using node = await nodeWith(truth);
    expect(await ask(known.slice(0, 2), node)).toEqual(expected);
    expect(methodsOf(node)).toEqual(['getMultipleAccounts', 'getProgramAccounts']);
  });

  it('say without a search who holds most, and where tax lies withheld', async () => {
    await using node = await nodeWith(truth);
    const rpc = createRpc({ endpoints: [node.url] });
    const token = { mint, tokenProgram: TOKEN_2022_PROGRAM_ID };
    const greatest = [{ owner: alice, raw: 50n }];
    const listed = { holders: greatest, total: 2, slot: 100, held: known };
    expect(await rpc.holders({ ...token, accounts: known }, 1)).toEqual(listed);
    expect(await rpc.withheldTax(mint, known)).toEqual(expected.withheld);
    expect(methodsOf(node)).toEqual(['getMultipleAccounts', 'getMultipleAccounts']);
    expect(await rpc.holders({ ...token, accounts: known.slice(1) }, 1)).toEqual(listed);
    expect(await rpc.withheldTax(mint, [])).toEqual(expected.withheld);
    expect(methodsOf(node).slice(2)).toEqual(['getMultipleAccounts', 'getProgramAccounts', 'getProgramAccounts']);
  });

  it('are named by their owner where they are not the associated one', async () => {
    const associated = getAssociatedTokenAddressSync(mint, alice, true, TOKEN_2022_PROGRAM_ID).toBase58();
    const accounts = [held(alice, 50n, { account: associated }), held(alice, 0n, { tax: 8n }), held(bob, 42n)];
    await using node = await nodeWith({ supply: 100n, accounts });
    const named = new Map([[bob.toBase58(), [accounts[2]!.account]]]);
    const rpc = createRpc({ endpoints: [node.url] });
    const which = { mint, tokenProgram: TOKEN_2022_PROGRAM_ID, minContextSlot: 100, withTax: true };
    for (const known of [accounts.map(({ account }) => account), []])
      expect(await rpc.agreedHolders({ ...which, accounts: known, withOtherAccounts: true })).toMatchObject({
        otherAccounts: named,
      });
    expect(methodsOf(node)).toEqual(['getMultipleAccounts', 'getProgramAccounts']);
  });

  it('count as nothing where they are of another token or program by now', async () => {
    const stolen = held(bob, 20n, { of: otherMint });
    const forged = held(bob, 20n, { program: TOKEN_PROGRAM_ID });
    const hidden = held(alice, 20n);
    await using node = await nodeWith({ supply: 70n, accounts: [first, stolen, forged, hidden] });
    const { balances, held: found } = await ask(
      [first, stolen, forged].map(({ account }) => account),
      node,
    );
    expect(balances).toEqual(new Map([[alice.toBase58(), 70n]]));
    expect(found).toEqual([first.account, hidden.account]);
    expect(methodsOf(node)).toEqual(['getMultipleAccounts', 'getProgramAccounts']);
  });

  it('are read with several calls of one slot, and searched for where the chain went on between them', async () => {
    const many = Array.from({ length: 100 }, () => held(address(), 1n));
    const accounts = many.map(({ account }) => account);
    await using still = await nodeWith({ supply: 100n, accounts: many });
    expect((await ask(accounts, still)).balances.size).toBe(100);
    expect(methodsOf(still)).toEqual(['getMultipleAccounts', 'getMultipleAccounts']);
    await using moving = await nodeWith({ supply: 100n, accounts: many, moves: true });
    expect((await ask(accounts, moving)).balances.size).toBe(100);
    expect(methodsOf(moving).at(-1)).toBe('getProgramAccounts');
  });

  it('are searched for where they are too many to be read, and not told', async () => {
    const many = Array.from({ length: 991 }, () => held(address(), 1n));
    await using node = await nodeWith({ supply: 991n, accounts: many });
    const answer = await ask(
      many.map(({ account }) => account),
      node,
    );
    expect([answer.balances.size, answer.held]).toEqual([991, null]);
    expect(methodsOf(node)).toEqual(['getProgramAccounts']);
  });

  it('are no more and no fuller for what one of two endpoints says', async () => {
    const invented = held(bob, 1_000n);
    await using liar = await nodeWith({ supply: 1_100n, mintTax: 7n, accounts: [...truth.accounts, invented] });
    await using honest = await nodeWith(truth);
    const answer = await ask([...known, invented.account], liar, honest);
    expect(answer).toEqual({ ...expected, slots: [100, 100], quorum: 2, disputed: 1 });
    expect([...methodsOf(liar), ...methodsOf(honest)]).toEqual(['getMultipleAccounts', 'getMultipleAccounts']);
  });
});
