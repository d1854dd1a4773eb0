import {
  ComputeBudgetInstruction,
  Keypair,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import {
  compileTransaction,
  MAX_TRANSACTION_BYTES,
  publicKey,
  signatureOf,
} from '../../../chain/transactions/compile.ts';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { signTransaction } from '../../../chain/transactions/sign-transaction.ts';

const payer = Keypair.generate();
const other = Keypair.generate();
const blockhash = Keypair.generate().publicKey.toBase58();

const planOf = (memo: string, signers = [payer.publicKey]) => ({
  payer: payer.publicKey,
  blockhash,
  computeUnits: 12_345,
  computeUnitPrice: 678n,
  instructions: [memoInstruction(memo, signers)],
});

/** Bytes of a signed transaction with a memo of so many bytes. */
const sizeWith = async (bytes: number): Promise<number> =>
  (await signTransaction(compileTransaction(planOf('m'.repeat(bytes))), [payer])).wire.length;

describe('a compiled transaction', () => {
  it('asks for the compute units and the price it was planned with, before anything else', () => {
    const { message } = compileTransaction(planOf('hello'));
    const [limit, price, memo] = TransactionMessage.decompile(message).instructions;
    expect(ComputeBudgetInstruction.decodeSetComputeUnitLimit(limit!).units).toBe(12_345);
    expect(ComputeBudgetInstruction.decodeSetComputeUnitPrice(price!).microLamports).toBe(678n);
    expect(memo?.data.toString()).toBe('hello');
    expect(message.version).toBe(0);
  });

  it('may fill a packet to the last byte and no further', async () => {
    // A length of two bytes in the compact encoding, as all memos near the limit have.
    const room = MAX_TRANSACTION_BYTES - (await sizeWith(900)) + 900;
    expect(await sizeWith(room)).toBe(MAX_TRANSACTION_BYTES);
    expect(() => compileTransaction(planOf('m'.repeat(room + 1)))).toThrow(
      `the transaction has ${MAX_TRANSACTION_BYTES + 1} bytes, ${MAX_TRANSACTION_BYTES} fit one packet`,
    );
  });

  it('counts the signatures that are still missing', async () => {
    const withOne = MAX_TRANSACTION_BYTES - (await sizeWith(900)) + 900;
    expect(() => compileTransaction(planOf('m'.repeat(withOne), [payer.publicKey, other.publicKey]))).toThrow(
      RangeError,
    );
  });
});

describe('signing', () => {
  it('gives the fee payer’s signature as the id, and bytes that carry every signature', async () => {
    const { signature, wire } = await signTransaction(compileTransaction(planOf('x', [other.publicKey])), [
      other,
      payer,
    ]);
    const read = VersionedTransaction.deserialize(wire);
    expect(read.signatures.map((bytes) => bs58.encode(bytes))[0]).toBe(signature);
    expect(read.signatures.every((bytes) => bytes.some((byte) => byte !== 0))).toBe(true);
    expect(signatureOf(read)).toBe(signature);
  });

  it('names the key whose signature is missing', async () => {
    const transaction = compileTransaction(planOf('x', [other.publicKey]));
    await expect(signTransaction(transaction, [payer])).rejects.toThrow(
      `the signature of ${other.publicKey.toBase58()} is missing`,
    );
  });
});

describe('an address', () => {
  it('is 32 bytes in base58', () => {
    expect(publicKey(payer.publicKey.toBase58()).equals(payer.publicKey)).toBe(true);
    expect(publicKey('11111111111111111111111111111111').equals(SystemProgram.programId)).toBe(true);
  });

  it.each(['', 'abc', '0OIl', `${'1'.repeat(33)}`, `${payer.publicKey.toBase58()}1`])('is not "%s"', (text) => {
    expect(() => publicKey(text)).toThrow(`"${text}" is not a base58 address of 32 bytes`);
  });
});
