import {
  createAssociatedTokenAccountInstruction,
  createCloseAccountInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { ComputeBudgetProgram, PublicKey, TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { base64, SOL, someone, startChain, type TestChain, transfer } from '../../support/dev/localnet-chain.ts';
import { createMint, tokenAccountData } from '../../support/dev/localnet-tokens.ts';

let chain: TestChain;
beforeEach(async () => {
  chain = await startChain();
});
afterEach(() => chain.node.close());

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

function memo(text: string): TransactionInstruction {
  return new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(text) });
}

interface ListedSignature {
  readonly signature: string;
  readonly slot: number;
  readonly memo: string | null;
}

function listed(address: PublicKey, options: Record<string, unknown> = {}): Promise<ListedSignature[]> {
  return chain.call('getSignaturesForAddress', [address.toBase58(), { commitment: 'confirmed', ...options }]);
}

test('a transaction shows token balances before and after', async () => {
  const { mint, account } = await createMint(chain, 1_500_000n);
  const { publicKey: payer } = chain.wallet;
  const to = someone();
  const target = getAssociatedTokenAddressSync(mint, to);
  const signature = await chain.run([
    createAssociatedTokenAccountInstruction(payer, target, to, mint),
    createTransferInstruction(account, target, payer, 500_000n),
  ]);
  const { meta } = await chain.transaction(signature);
  expect(meta.preTokenBalances.map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount.amount])).toEqual([
    [payer.toBase58(), '1500000'],
  ]);
  const after = new Map(
    meta.postTokenBalances.map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount.uiAmountString]),
  );
  expect(after).toEqual(
    new Map([
      [payer.toBase58(), '1'],
      [to.toBase58(), '0.5'],
    ]),
  );
});

test('a transaction without a token program shows no token balance of the accounts that it names', async () => {
  const { account } = await createMint(chain, 7n);
  const naming = (instruction: TransactionInstruction) => {
    instruction.keys.push({ pubkey: account, isSigner: false, isWritable: false });
    return instruction;
  };
  const nothing = naming(transfer(chain.wallet, chain.wallet.publicKey, 0n));
  const shown = async (...instructions: TransactionInstruction[]) =>
    (await chain.transaction(await chain.run(instructions))).meta.postTokenBalances.map(
      (one) => one.uiTokenAmount.amount,
    );
  expect(await shown(nothing)).toEqual([]);
  const program = { pubkey: TOKEN_PROGRAM_ID, isSigner: false, isWritable: false };
  nothing.keys.push(program);
  expect(await shown(nothing)).toEqual(['7']);
});

test('an account whose mint is not of its own program, or is gone, shows no balance', async () => {
  const { mint, account } = await createMint(chain, 7n);
  const { publicKey: payer } = chain.wallet;
  const foreign = someone();
  const data = tokenAccountData(mint, payer, 3n);
  const shown = { lamports: 2_039_280n, data, executable: false };
  chain.node.control.setAccounts([[foreign.toBase58(), { ...shown, owner: TOKEN_2022_PROGRAM_ID.toBase58() }]]);
  const naming = transfer(chain.wallet, payer, 0n);
  for (const pubkey of [account, foreign, TOKEN_PROGRAM_ID])
    naming.keys.push({ pubkey, isSigner: false, isWritable: false });
  const balances = async () => {
    const { meta } = await chain.transaction(await chain.run([naming]));
    return meta.postTokenBalances.map((one) => one.uiTokenAmount.amount);
  };
  expect(await balances()).toEqual(['7']);
  chain.node.control.setAccounts([[mint.toBase58(), null]]);
  chain.advance(1);
  expect(await balances()).toEqual([]);
});

test('an account that a transaction opens or closes has a balance on the other side alone', async () => {
  const { mint, account } = await createMint(chain, 0n);
  const { publicKey: payer } = chain.wallet;
  const to = someone();
  const opened = getAssociatedTokenAddressSync(mint, to);
  const signature = await chain.run([
    createAssociatedTokenAccountInstruction(payer, opened, to, mint),
    createCloseAccountInstruction(account, payer, payer),
  ]);
  const { meta } = await chain.transaction(signature);
  const owners = (balances: readonly { readonly owner: string }[]) => balances.map(({ owner }) => owner);
  expect([owners(meta.preTokenBalances), owners(meta.postTokenBalances)]).toEqual([
    [payer.toBase58()],
    [to.toBase58()],
  ]);
});

test('a transaction shows its inner instructions under the instruction that called them', async () => {
  const { mint } = await createMint(chain, 1n);
  const to = someone();
  const target = getAssociatedTokenAddressSync(mint, to);
  const create = createAssociatedTokenAccountInstruction(chain.wallet.publicKey, target, to, mint);
  const signature = await chain.run([memo('first'), create]);
  const [group, ...others] = (await chain.transaction(signature)).meta.innerInstructions;
  expect([group?.index, others.length]).toEqual([1, 0]);
  expect(group?.instructions.length).toBeGreaterThanOrEqual(3);
  expect(group?.instructions[0]?.stackHeight).toBe(2);
});

test('a transaction is written in the encoding that was asked for', async () => {
  const transaction = await chain.sign([transfer(chain.wallet, someone(), SOL)]);
  const signature = await chain.land(transaction);
  chain.advance(1);
  const as = async (encoding: string): Promise<unknown> =>
    (await chain.transaction(signature, { encoding })).transaction;
  expect(await as('base64')).toEqual([base64(transaction), 'base64']);
  expect(await as('base58')).toEqual([bs58.encode(transaction.serialize()), 'base58']);
  expect(await as('json')).toMatchObject({
    message: { instructions: [{ programIdIndex: 2 }] },
    signatures: [signature],
  });
  expect(await as('jsonParsed')).toMatchObject({
    message: { instructions: [{ program: 'system', parsed: { type: 'transfer', info: { lamports: 1e9 } } }] },
  });
});

test('a versioned transaction is refused to a client that did not ask for versions, with -32015', async () => {
  const signature = await chain.run([transfer(chain.wallet, someone(), SOL)]);
  const error = await chain.failure('getTransaction', [signature, { commitment: 'confirmed' }]);
  expect(error.code).toBe(-32015);
  expect(error.message).toContain('Transaction version (0) is not supported by the requesting client');
});

test('a transaction is not in the history before it is confirmed', async () => {
  const signature = await chain.land(await chain.sign([transfer(chain.wallet, someone(), SOL)]));
  expect(await chain.transaction(signature)).toBeNull();
  chain.advance(1);
  expect(await chain.transaction(signature)).toMatchObject({ meta: { err: null } });
  expect(await chain.transaction(signature, { commitment: 'finalized' })).toBeNull();
});

test('signatures of an address come newest first, also within one slot', async () => {
  const signatures: string[] = [];
  for (let i = 0; i < 6; i++) {
    signatures.push(await chain.land(await chain.sign([transfer(chain.wallet, someone(), SOL + BigInt(i))])));
    if (i === 2) chain.advance(1);
  }
  chain.advance(1);
  const all = (await listed(chain.wallet.publicKey)).map(({ signature }) => signature);
  expect(all).toEqual(signatures.toReversed());
});

test('signatures of an address are paged by before, until and limit', async () => {
  const signatures: string[] = [];
  for (let i = 0; i < 5; i++) signatures.push(await chain.run([transfer(chain.wallet, someone(), SOL + BigInt(i))]));
  const [oldest, second, third, fourth] = signatures;
  const page = await listed(chain.wallet.publicKey, { before: fourth, until: oldest, limit: 10 });
  expect(page.map(({ signature }) => signature)).toEqual([third, second]);
  expect(await listed(chain.wallet.publicKey, { before: fourth, limit: 1 })).toMatchObject([{ signature: third }]);
});

test('signatures of an address carry the memo with its length', async () => {
  await chain.run([memo('launch:quote-1'), transfer(chain.wallet, someone(), SOL)]);
  expect((await listed(chain.wallet.publicKey))[0]?.memo).toBe('[14] launch:quote-1');
});

test('the fee that is charged is the fee that is reported, priority fee included', async () => {
  const budget = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 123_457 }),
  ];
  const signature = await chain.run([...budget, transfer(chain.wallet, someone(), SOL)]);
  const { meta } = await chain.transaction(signature);
  expect(meta.fee).toBe(5000 + Math.ceil((10_000 * 123_457) / 1e6));
  expect((meta.preBalances[0] ?? 0) - (meta.postBalances[0] ?? 0)).toBe(Number(SOL) + meta.fee);
});

test('the fee that is charged without a unit limit follows from the default budget', async () => {
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 });
  const signature = await chain.run([price, memo('x'), transfer(chain.wallet, someone(), SOL)]);
  const { meta } = await chain.transaction(signature);
  expect((meta.preBalances[0] ?? 0) - (meta.postBalances[0] ?? 0)).toBe(Number(SOL) + meta.fee);
});

test('a block lists its transactions in order and its parent skips over slots without a block', async () => {
  const before = await chain.slot('processed');
  chain.node.control.skipNextSlots(2);
  chain.advance(1);
  const slot = await chain.slot('processed');
  const signatures: string[] = [];
  for (let i = 0; i < 3; i++)
    signatures.push(await chain.land(await chain.sign([transfer(chain.wallet, someone(), SOL + BigInt(i))])));
  chain.advance(1);
  const options = { commitment: 'confirmed', transactionDetails: 'signatures' };
  const block = await chain.call<{ signatures: string[]; parentSlot: number }>('getBlock', [slot, options]);
  expect([block.signatures, block.parentSlot]).toEqual([signatures, before]);
  const skipped = await chain.failure('getBlock', [slot - 1, options]);
  expect([skipped.code, skipped.message]).toEqual([-32007, expect.stringContaining('was skipped')]);
  expect((await chain.failure('getBlock', [slot + 50, options])).code).toBe(-32004);
  expect(await chain.call('getBlocks', [before, slot, { commitment: 'confirmed' }])).toEqual([before, slot]);
});
