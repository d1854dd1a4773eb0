import {
  AddressLookupTableAccount,
  Keypair,
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { InvalidBundleError, readBundle } from '../../../dev/block-engine/bundle.ts';

const tipAccount = Keypair.generate().publicKey;
const tipAccounts = new Set([tipAccount.toBase58()]);
const payer = Keypair.generate();
const blockhash = Keypair.generate().publicKey.toBase58();

const transfer = (to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports });

function wireOf(instructions: TransactionInstruction[], tables: AddressLookupTableAccount[] = []): Uint8Array {
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message(tables));
  transaction.sign([payer]);
  return transaction.serialize();
}

const plain = () => wireOf([transfer(Keypair.generate().publicKey, 1)]);
const tipped = (lamports: number) => wireOf([transfer(tipAccount, lamports)]);
const read = (...wires: Uint8Array[]) => readBundle(wires, tipAccounts);

describe('a bundle that keeps the rules', () => {
  it('has an id that depends on its transactions and their order', () => {
    const [first, last] = [plain(), tipped(1_000)];
    expect(read(first, last).id).toMatch(/^[0-9a-f]{64}$/);
    expect(read(first, last).id).toBe(read(first, last).id);
    expect(read(last, first).id).not.toBe(read(first, last).id);
  });

  it('may split its tip over several transfers', () => {
    expect(read(tipped(400), tipped(600)).signatures).toHaveLength(2);
  });

  it('may have five transactions', () => {
    expect(read(plain(), plain(), plain(), plain(), tipped(5_000)).wires).toHaveLength(5);
  });
});

describe('a bundle is refused', () => {
  const table = new AddressLookupTableAccount({
    key: Keypair.generate().publicKey,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [tipAccount],
    },
  });
  const twice = tipped(2_000);

  it.each([
    ['without transactions', [], 'empty'],
    ['with six transactions', [plain(), plain(), plain(), plain(), plain(), tipped(1_000)], '6 transactions'],
    ['without a tip', [plain()], 'write lock at least one tip account'],
    ['with a tip of 999 lamports', [tipped(999)], 'tips 999 lamports'],
    ['with a tip account from a lookup table', [wireOf([transfer(tipAccount, 5_000)], [table])], 'lookup table'],
    ['with a transaction twice', [twice, twice], 'duplicate'],
    ['with bytes that are no transaction', [new Uint8Array([1, 2, 3])], 'transaction 0 could not be deserialized'],
    ['with an oversized transaction', [new Uint8Array(1_233)], '1233 bytes'],
  ])('%s', (_name, wires, text) => {
    expect(() => readBundle(wires, tipAccounts)).toThrow(InvalidBundleError);
    expect(() => readBundle(wires, tipAccounts)).toThrow(text);
  });
});
