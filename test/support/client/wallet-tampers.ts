import {
  Keypair,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { LIGHTHOUSE_PROGRAM_ID } from '../../../chain/transactions/wallet-changes.ts';

/** One way in which a wallet signs something else than it was given. */
export interface WalletTamper {
  readonly what: string;
  readonly says: RegExp;
  readonly tamper: (transaction: Uint8Array, wallet: Keypair) => Uint8Array;
}

const stranger = Keypair.generate();
const assertion = (isWritable = false) =>
  new TransactionInstruction({
    programId: LIGHTHOUSE_PROGRAM_ID,
    keys: [{ pubkey: stranger.publicKey, isSigner: false, isWritable }],
    data: Buffer.from('assert'),
  });

type Change = (instructions: TransactionInstruction[], wallet: Keypair) => TransactionInstruction[];

const rebuilt = (change: Change, blockhash?: string) => (wire: Uint8Array, wallet: Keypair) => {
  const { message } = VersionedTransaction.deserialize(wire);
  const { payerKey, instructions } = TransactionMessage.decompile(message);
  const transaction = new Transaction();
  transaction.feePayer = payerKey;
  transaction.recentBlockhash = blockhash ?? message.recentBlockhash;
  const changed = new VersionedTransaction(transaction.add(...change(instructions, wallet)).compileMessage());
  changed.sign([wallet]);
  return changed.serialize();
};

/** What wallets such as Phantom do. */
export const withAssertion = rebuilt((instructions) => [...instructions, assertion()]);

/** Every change of a wallet that the client must see before it submits. */
export const WALLET_TAMPERS: readonly WalletTamper[] = [
  { what: 'no signature', says: /no signature by/, tamper: (wire) => wire },
  {
    what: 'a signature of somebody else',
    says: /no signature by/,
    tamper: (wire) => {
      const transaction = VersionedTransaction.deserialize(wire);
      transaction.signatures[0] = new Uint8Array(64).fill(7);
      return transaction.serialize();
    },
  },
  {
    what: 'a transfer added',
    says: /added an instruction of 1{32}/,
    tamper: rebuilt((instructions, { publicKey }) => [
      ...instructions,
      SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: stranger.publicKey, lamports: 1 }),
    ]),
  },
  {
    what: 'an assertion that writes an account',
    says: /made .* writable/,
    tamper: rebuilt((instructions) => [...instructions, assertion(true)]),
  },
  {
    what: 'an instruction left out',
    says: /left out or changed|the signers/,
    tamper: rebuilt((instructions) => instructions.slice(0, -1)),
  },
  {
    what: 'another blockhash',
    says: /changed the blockhash/,
    tamper: rebuilt((instructions) => instructions, stranger.publicKey.toBase58()),
  },
  {
    what: 'a version 0 message',
    says: /no transaction as issued: it is a versioned transaction, a legacy one was expected/,
    tamper: (wire, wallet) => {
      const { message } = VersionedTransaction.deserialize(wire);
      const parts = TransactionMessage.decompile(message);
      const transaction = new VersionedTransaction(parts.compileToV0Message());
      transaction.sign([wallet]);
      return transaction.serialize();
    },
  },
  { what: 'rubbish', says: /no transaction/, tamper: () => Uint8Array.of(1, 2, 3) },
];
