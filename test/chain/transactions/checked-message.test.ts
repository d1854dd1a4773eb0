import { AddressLookupTableAccount, Keypair, type PublicKey, SystemProgram, TransactionMessage } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  compileTransaction,
  type PlannedTransaction,
  type TransactionPlan,
} from '../../../chain/transactions/compile.ts';
import { type CheckedMessage, MessageMismatchError } from '../../../chain/transactions/checked-message.ts';
import type { AgreedLookupTable } from '../../../chain/transactions/lookup-table.ts';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { signForWallet, signTransaction } from '../../../chain/transactions/sign-transaction.ts';
import type { Signer } from '../../../chain/signers/signer.ts';
import { agreedTable } from '../../support/exchange/agreed-table.ts';

const payer = Keypair.generate();
const [receiver, thief] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
const blockhash = Keypair.generate().publicKey.toBase58();

let agreed: AgreedLookupTable;
beforeAll(async () => {
  agreed = await agreedTable([receiver]);
});

const transfer = (to: PublicKey, lamports = 1) =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports });
const planOf = (changes: Partial<TransactionPlan> = {}): TransactionPlan => ({
  payer: payer.publicKey,
  blockhash,
  computeUnits: 10_000,
  computeUnitPrice: 5n,
  instructions: [transfer(receiver), memoInstruction('a purpose', [payer.publicKey])],
  lookupTables: [agreed],
  ...changes,
});

/** A transaction of this plan whose message was compiled of another one. */
function swapped(changes: Partial<TransactionPlan>): PlannedTransaction {
  const transaction = compileTransaction(planOf());
  transaction.message = compileTransaction(planOf(changes)).message;
  return transaction;
}

/** A signer that counts what it signs. */
function watched(): Signer & { readonly signed: CheckedMessage[] } {
  const signed: CheckedMessage[] = [];
  const sign = (message: CheckedMessage) => {
    signed.push(message);
    return Promise.resolve(new Uint8Array(64).fill(1));
  };
  return { publicKey: payer.publicKey, name: 'watched', sign, signed };
}

describe('a message that says what was meant', () => {
  it('is signed, and names the accounts that its lookup table brought', async () => {
    const signer = watched();
    const { loaded } = await signTransaction(compileTransaction(planOf()), [signer]);
    expect(loaded?.map(String)).toEqual([receiver.toBase58()]);
    expect(signer.signed).toHaveLength(1);
  });

  it('has nothing loaded without a table', async () => {
    const { loaded } = await signTransaction(compileTransaction(planOf({ lookupTables: [] })), [watched()]);
    expect(loaded).toBeUndefined();
  });
});

describe('nothing is signed of a message', () => {
  it.each<[string, () => PlannedTransaction, RegExp]>([
    ['whose lookup table has another account there by a quorum', compiledByLie, /account 2 of instruction 3 is/],
    [
      'that pays another account',
      () => swapped({ instructions: [transfer(thief), planOf().instructions[1]!] }),
      /account 2 of/,
    ],
    [
      'with other data',
      () => swapped({ instructions: [transfer(receiver, 2), planOf().instructions[1]!] }),
      /has data 12 bytes/,
    ],
    [
      'with an instruction more',
      () => swapped({ instructions: [...planOf().instructions, transfer(thief)] }),
      /has 5 instruct/,
    ],
    ['with an instruction less', () => swapped({ instructions: planOf().instructions.slice(0, 1) }), /has 3 instruct/],
    ['on another blockhash', () => swapped({ blockhash: thief.toBase58() }), /its blockhash is/],
    [
      'that another account signs',
      () => withRights((rights) => ({ ...rights, isSigner: true })),
      /signs, which was not meant/,
    ],
    [
      'that may write what it was to read',
      () => withRights((rights) => ({ ...rights, isWritable: true })),
      /is writable/,
    ],
  ])('%s', async (_what, make, problem) => {
    const signer = watched();
    const refused = await signTransaction(make(), [signer]).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MessageMismatchError);
    expect(String(refused)).toMatch(problem);
    expect(signer.signed).toEqual([]);
  });

  it('that a wallet compiled with a lookup table', async () => {
    const signer = watched();
    await expect(signForWallet(compileTransaction(planOf()), [signer])).rejects.toThrow(/a wallet compiled it with/);
    expect(signer.signed).toEqual([]);
  });
});

/** Pays the thief; the message was compiled with a table that one endpoint invented, and pays whom the agreed table has in that place. */
function compiledByLie(): PlannedTransaction {
  const instructions = [transfer(thief), planOf().instructions[1]!];
  const transaction = compileTransaction(planOf({ instructions }));
  const invented = new AddressLookupTableAccount({ key: agreed.key, state: { ...agreed.state, addresses: [thief] } });
  const message = { payerKey: payer.publicKey, recentBlockhash: blockhash };
  transaction.message = new TransactionMessage({
    ...message,
    instructions: [...transaction.meant.instructions],
  }).compileToV0Message([invented]);
  return transaction;
}

type Rights = { readonly isSigner: boolean; readonly isWritable: boolean };

/** A plan that reads an account, and a message that gives it other rights. */
function withRights(change: (rights: Rights) => Rights): PlannedTransaction {
  const reading = (rights: Rights) => {
    const memo = memoInstruction('reads', []);
    memo.keys.push({ pubkey: thief, ...rights });
    return [...planOf().instructions, memo];
  };
  const none = { isSigner: false, isWritable: false };
  const transaction = compileTransaction(planOf({ instructions: reading(none) }));
  transaction.message = compileTransaction(planOf({ instructions: reading(change(none)) })).message;
  return transaction;
}
