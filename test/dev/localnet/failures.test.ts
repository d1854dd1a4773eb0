import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  base64,
  type Meta,
  SOL,
  someone,
  startChain,
  type TestChain,
  transfer,
} from '../../support/dev/localnet-chain.ts';
import { createTable } from '../../support/dev/lookup-tables.ts';

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

function spent({ preBalances, postBalances }: Meta): number {
  return (preBalances[0] ?? 0) - (postBalances[0] ?? 0);
}

let chain: TestChain;
beforeEach(async () => {
  chain = await startChain();
});
afterEach(() => chain.node.close());

const preflight = { encoding: 'base64', preflightCommitment: 'processed' };

test('a failed preflight answers -32002 with the error, the logs and the compute units', async () => {
  const transaction = await chain.sign([transfer(chain.wallet, someone(), 1000n * SOL)]);
  const error = await chain.failure('sendTransaction', [base64(transaction), preflight]);
  expect(error.code).toBe(-32002);
  expect(error.message).toBe(
    'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
  );
  expect(error.data).toMatchObject({
    accounts: null,
    err: { InstructionError: [0, { Custom: 1 }] },
    unitsConsumed: 150,
  });
  expect(error.data?.logs).toContain('Program 11111111111111111111111111111111 failed: custom program error: 0x1');
});

test('a failed preflight leaves no trace on the chain', async () => {
  const to = someone();
  const before = await chain.balance(chain.wallet.publicKey);
  const steps = [transfer(chain.wallet, to, SOL), transfer(chain.wallet, someone(), 1000n * SOL)];
  await chain.failure('sendTransaction', [base64(await chain.sign(steps)), preflight]);
  const after = await chain.balance(chain.wallet.publicKey);
  expect(after).toBe(before);
  expect(await chain.balance(to)).toBe(0);
});

test('a transaction that lands and fails pays its fee and is recorded with its error', async () => {
  const payer = chain.fundedWallet(10n * SOL);
  const signature = await chain.run([transfer(payer, someone(), 1000n * SOL)], { payer });
  const { meta } = await chain.transaction(signature);
  expect(meta.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
  expect(meta.status).toEqual({ Err: { InstructionError: [0, { Custom: 1 }] } });
  expect(meta.fee).toBe(5000);
  expect(spent(meta)).toBe(5000);
  expect(await chain.balance(payer.publicKey, 'confirmed')).toBe(10e9 - 5000);
});

test('a transaction for a program that does not exist lands as fee only', async () => {
  const payer = chain.fundedWallet(10n * SOL);
  const instruction = new TransactionInstruction({ programId: someone(), keys: [] });
  const signature = await chain.run([instruction], { payer });
  const { meta } = await chain.transaction(signature);
  expect(meta.err).toBe('ProgramAccountNotFound');
  expect(spent(meta)).toBe(5000);
});

test('a payer without SOL never lands', async () => {
  const payer = chain.fundedWallet(4_000n);
  const signature = await chain.run([transfer(payer, someone(), 1n)], { payer });
  expect(await chain.statuses([signature])).toEqual([null]);
});

test('a payer whom the fee would leave below the rent-exempt minimum never lands', async () => {
  const payer = chain.fundedWallet(890_880n + 4_999n);
  const signature = await chain.run([transfer(payer, payer.publicKey, 1n)], { payer });
  expect(await chain.statuses([signature])).toEqual([null]);
  expect(await chain.balance(payer.publicKey)).toBe(890_880 + 4_999);
});

test('a transaction that would leave an account below the rent-exempt minimum lands and pays its fee', async () => {
  const payer = chain.fundedWallet(10n * SOL);
  const signature = await chain.run([transfer(payer, someone(), 1n)], { payer });
  const { meta } = await chain.transaction(signature);
  expect(meta.err).toEqual({ InsufficientFundsForRent: { account_index: 1 } });
  expect(spent(meta)).toBe(5000);
});

test('a wrong signature is refused by the preflight with -32003 and never lands without it', async () => {
  const transaction = await chain.sign([transfer(chain.wallet, someone(), SOL)]);
  transaction.signatures[0]?.set([1, 2, 3], 8);
  const error = await chain.failure('sendTransaction', [base64(transaction), preflight]);
  expect([error.code, error.message]).toEqual([-32003, 'Transaction signature verification failure']);
  const signature = await chain.land(transaction);
  chain.advance(1);
  expect(await chain.statuses([signature])).toEqual([null]);
});

test('a transaction that locks more than 64 accounts is refused', async () => {
  const locking = (count: number): TransactionInstruction =>
    new TransactionInstruction({
      programId: SystemProgram.programId,
      keys: Array.from({ length: count }, () => ({ pubkey: someone(), isSigner: false, isWritable: false })),
    });
  const table = await createTable(chain, Array.from({ length: 70 }, someone));
  const wide = new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: table.state.addresses.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
  });
  const error = await chain.failure('sendTransaction', [
    base64(await chain.sign([wide], { tables: [table] })),
    preflight,
  ]);
  expect(error.data?.err).toBe('TooManyAccountLocks');
  const narrow = await chain.failure('sendTransaction', [base64(await chain.sign([locking(20)])), preflight]);
  expect(narrow.data?.err).not.toBe('TooManyAccountLocks');
});

test('a transaction of more than 1,232 bytes is refused by its size', async () => {
  const data = Buffer.alloc(1_100);
  const program = SystemProgram.programId;
  const transaction = await chain.sign([new TransactionInstruction({ programId: program, keys: [], data })]);
  const wire = Buffer.concat([transaction.serialize(), Buffer.alloc(60)]);
  expect(wire.length).toBeGreaterThan(1_232);
  const big = await chain.failure('sendTransaction', [wire.toString('base64'), preflight]);
  expect([big.code, big.message]).toEqual([-32602, expect.stringContaining('too large')]);
  const base58 = await chain.failure('sendTransaction', ['1'.repeat(1_684), {}]);
  expect([base58.code, base58.message]).toEqual([-32602, expect.stringContaining('(max: encoded/raw 1683/1232)')]);
});

test('an instruction trace of more than 64 is refused', async () => {
  const memos = (count: number): TransactionInstruction[] =>
    Array.from({ length: count }, () => new TransactionInstruction({ programId: MEMO, keys: [] }));
  const within = await chain.sign(memos(64));
  expect(await chain.call('sendTransaction', [base64(within), preflight])).toBeTypeOf('string');
  const beyond = await chain.failure('sendTransaction', [base64(await chain.sign(memos(65))), preflight]);
  expect(JSON.stringify(beyond.data?.err)).toContain('MaxInstructionTraceLengthExceeded');
});
