import { Keypair, PublicKey, Transaction, TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import { randomBytes, randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { readTransaction, writeTransaction } from '../../client/solana/message.ts';

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

function readOrRefuse(bytes: Uint8Array): void {
  try {
    readTransaction(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
  }
}
