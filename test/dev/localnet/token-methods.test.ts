import { createApproveInstruction, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { someone, startChain, type TestChain, type Value } from '../../support/dev/localnet-chain.ts';
import { createMint, seedHolders, type TestMint } from '../../support/dev/localnet-tokens.ts';

let chain: TestChain;
let held: TestMint;
beforeEach(async () => {
  chain = await startChain();
  held = await createMint(chain, 1_234_500n);
});
afterEach(() => chain.node.close());

const confirmed = { commitment: 'confirmed' };
const parsed = { ...confirmed, encoding: 'jsonParsed' };

async function valueOf(method: string, ...params: unknown[]): Promise<unknown> {
  return (await chain.call<Value<unknown>>(method, params)).value;
}

test('a token balance and a supply are told in raw units and as text', async () => {
  const amount = { amount: '1234500', decimals: 6, uiAmount: 1.2345, uiAmountString: '1.2345' };
  expect(await valueOf('getTokenAccountBalance', held.account.toBase58(), confirmed)).toEqual(amount);
  expect(await valueOf('getTokenSupply', held.mint.toBase58(), confirmed)).toEqual(amount);
});

test('what is no token account is refused', async () => {
  const error = await chain.failure('getTokenAccountBalance', [chain.wallet.publicKey.toBase58(), confirmed]);
  expect([error.code, error.message]).toEqual([-32602, 'Invalid param: not a Token account']);
});

test('a mint and a token account are explained in jsonParsed', async () => {
  const owner = chain.wallet.publicKey.toBase58();
  expect(await valueOf('getAccountInfo', held.mint.toBase58(), parsed)).toMatchObject({
    data: {
      program: 'spl-token',
      parsed: { type: 'mint', info: { decimals: 6, mintAuthority: owner, supply: '1234500' } },
    },
  });
  expect(await valueOf('getAccountInfo', held.account.toBase58(), parsed)).toMatchObject({
    data: { parsed: { type: 'account', info: { owner, state: 'initialized', tokenAmount: { amount: '1234500' } } } },
  });
});

test('token accounts are found by owner and by delegate', async () => {
  const { publicKey: owner } = chain.wallet;
  const delegate = someone();
  await chain.run([createApproveInstruction(held.account, delegate, owner, 7n)]);
  const found = [{ pubkey: held.account.toBase58() }];
  const byMint = { mint: held.mint.toBase58() };
  expect(await valueOf('getTokenAccountsByOwner', owner.toBase58(), byMint, parsed)).toMatchObject(found);
  const byProgram = { programId: TOKEN_PROGRAM_ID.toBase58() };
  expect(await valueOf('getTokenAccountsByOwner', owner.toBase58(), byProgram, parsed)).toMatchObject(found);
  expect(await valueOf('getTokenAccountsByDelegate', delegate.toBase58(), byMint, parsed)).toMatchObject(found);
  expect(await valueOf('getTokenAccountsByDelegate', owner.toBase58(), byMint, parsed)).toEqual([]);
});

test('the largest token accounts come first, twenty of them', async () => {
  seedHolders(chain, held.mint, 30);
  const largest = (await valueOf('getTokenLargestAccounts', held.mint.toBase58(), confirmed)) as { amount: string }[];
  expect(largest.map(({ amount }) => amount).slice(0, 3)).toEqual(['1234500', '30', '29']);
  expect(largest).toHaveLength(20);
});
