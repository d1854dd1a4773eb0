import {
  AddressLookupTableAccount,
  Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { randomBytes, randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { readLandedTransaction, readTransaction, writeTransaction } from '../../client/solana/message.ts';

const someone = () => new PublicKey(randomBytes(32));

/** A legacy transaction with some accounts in several parts, as web3.js compiles it. */
function randomTransaction(): VersionedTransaction {
  const people = Array.from({ length: randomInt(2, 9) }, someone);
  const instructions = Array.from({ length: randomInt(1, 6) }, () => {
    const keys = Array.from({ length: randomInt(0, 6) }, () => ({
      pubkey: people[randomInt(people.length)] ?? someone(),
      isSigner: randomInt(3) === 0,
      isWritable: randomInt(2) === 0,
    }));
    return new TransactionInstruction({ programId: someone(), keys, data: randomBytes(randomInt(0, 200)) });
  });
  const transaction = new Transaction();
  transaction.feePayer = people[0] ?? someone();
  transaction.recentBlockhash = someone().toBase58();
  return new VersionedTransaction(transaction.add(...instructions).compileMessage());
}

it('a legacy message is read as web3.js reads it, and written as the same bytes', () => {
  for (let round = 0; round < 300; round++) {
    const transaction = randomTransaction();
    const wire = transaction.serialize();
    const { message, signatures } = readTransaction(wire);
    const { staticAccountKeys, compiledInstructions, recentBlockhash } = transaction.message;
    const accountAt = (index: number) => ({
      address: staticAccountKeys[index]?.toBase58(),
      isSigner: transaction.message.isAccountSigner(index),
      isWritable: transaction.message.isAccountWritable(index),
    });
    expect(message.accounts).toEqual(staticAccountKeys.map((_, index) => accountAt(index)));
    expect(message.blockhash).toBe(recentBlockhash);
    expect(message.instructions).toEqual(
      compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
        program: accountAt(programIdIndex).address,
        accounts: accountKeyIndexes.map(accountAt),
        data: Uint8Array.from(data),
      })),
    );
    expect(Buffer.from(writeTransaction(signatures, message.bytes)).equals(Buffer.from(wire))).toBe(true);
  }
});

it('what is cut short, has bytes behind its end, or names what is not there, is refused and never read past', () => {
  const wire = randomTransaction().serialize();
  for (let length = 0; length < wire.length; length++)
    expect(() => readTransaction(wire.subarray(0, length))).toThrow(RangeError);
  expect(() => readTransaction(Uint8Array.from([...wire, 0]))).toThrow(RangeError);
  for (let round = 0; round < 2_000; round++) readOrRefuse(randomBytes(randomInt(0, 400)));
});

it('a transaction that names an account twice is refused', () => {
  const { publicKey } = Keypair.generate();
  const message = [1, 0, 0, 2, ...publicKey.toBytes(), ...publicKey.toBytes(), ...new Uint8Array(32), 0];
  expect(() => readTransaction(writeTransaction([new Uint8Array(64)], Uint8Array.from(message)))).toThrow(/twice/);
});

it('a message of version 0 that is on the chain is read as web3.js reads it, with the accounts of its lookup tables', () => {
  for (let round = 0; round < 100; round++) {
    const [payer, ...others] = Array.from({ length: 6 }, someone);
    const addresses = others.slice(2);
    const table = new AddressLookupTableAccount({
      key: someone(),
      state: {
        addresses,
        authority: undefined,
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
      },
    });
    const keys = others.map((pubkey) => ({ pubkey, isSigner: pubkey === others[0], isWritable: randomInt(2) === 0 }));
    const instruction = new TransactionInstruction({ programId: someone(), keys, data: randomBytes(9) });
    const recentBlockhash = someone().toBase58();
    const facts = { payerKey: payer ?? someone(), instructions: [instruction], recentBlockhash };
    const message = new TransactionMessage(facts).compileToV0Message([table]);
    const resolved = message.getAccountKeys({ addressLookupTableAccounts: [table] });
    const loaded = message.resolveAddressTableLookups([table]);
    const given = {
      writable: loaded.writable.map((key) => key.toBase58()),
      readonly: loaded.readonly.map((key) => key.toBase58()),
    };
    const wire = new VersionedTransaction(message).serialize();
    const read = readLandedTransaction(wire, given).message;
    expect(read.accounts).toEqual(
      resolved
        .keySegments()
        .flat()
        .map((key, index) => ({
          address: key.toBase58(),
          isSigner: message.isAccountSigner(index),
          isWritable: message.isAccountWritable(index),
        })),
    );
    expect(read.loaded).toEqual([...given.writable, ...given.readonly]);
    expect(read.instructions[0]?.accounts.map(({ address }) => address)).toEqual(others.map((key) => key.toBase58()));
    // What is to be signed must name all of its accounts itself.
    expect(() => readTransaction(wire)).toThrow('versioned');
    expect(() => readLandedTransaction(wire, { writable: [], readonly: [] })).toThrow(RangeError);
  }
});

function readOrRefuse(bytes: Uint8Array): void {
  try {
    readTransaction(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
  }
}
