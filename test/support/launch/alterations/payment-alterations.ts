import { ed25519 } from '@noble/curves/ed25519.js';
import { ComputeBudgetProgram, Keypair, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { memoInstruction } from '../../../../chain/transactions/memo.ts';
import type { Alteration } from './alteration.ts';
import {
  appended,
  asV0,
  bytes,
  dust,
  flipped,
  lighthouse,
  message,
  replaced,
  same,
  signature,
  stranger,
  text,
  transactionOf,
  transfer,
  unsafe,
  walletOf,
  withHighScalar,
  withLookupTable,
  withSignatures,
  withUnusedLookupTable,
} from './payment-forge.ts';

/** Every way in which a payment is not the one that was issued. */
export const PAYMENT_ALTERATIONS: readonly Alteration[] = [
  { what: 'one lamport less', says: /another instruction 3/, alter: transfer((quoted) => quoted - 1) },
  { what: 'one lamport more', says: /another instruction 3/, alter: transfer((quoted) => quoted + 1) },
  { what: 'no lamports', says: /another instruction 3/, alter: transfer(() => 0) },
  { what: 'another destination', says: /another instruction 3/, alter: transfer(same, () => stranger.publicKey) },
  {
    what: 'the creator as destination',
    says: /another instruction 3/,
    alter: transfer(same, (o) => o.creator.address),
  },
  {
    what: 'another source',
    says: /other signers|fee payer/,
    alter: message(
      ({ instructions: [limit, price, , memo] }, original) => ({
        instructions: [
          limit!,
          price!,
          SystemProgram.transfer({ fromPubkey: stranger.publicKey, toPubkey: walletOf(original), lamports: 1 }),
          memo!,
        ],
      }),
      [stranger],
    ),
  },
  {
    what: 'another fee payer',
    says: /other signers|fee payer/,
    alter: message(() => ({ payerKey: stranger.publicKey }), [stranger]),
  },
  {
    what: 'another blockhash',
    says: /has blockhash/,
    alter: message(() => ({ recentBlockhash: Keypair.generate().publicKey.toBase58() })),
  },
  { what: 'a transfer added at the end', says: /added instruction of program 1{32}/, alter: appended(dust) },
  {
    what: 'a transfer added at the front',
    says: /another instruction 1 than issued, an added instruction of program 1{32}/,
    alter: message(({ instructions }, original) => ({ instructions: [dust(original), ...instructions] })),
  },
  {
    what: 'an unknown program added',
    says: /added instruction of program/,
    alter: appended(() => new TransactionInstruction({ programId: stranger.publicKey, keys: [], data: Buffer.of(1) })),
  },
  {
    what: 'a memo added that reads as one of the platform’s',
    says: /added instruction of program Memo/,
    alter: appended(({ prepared }) => memoInstruction(`launch/${prepared.quoteId}/2`)),
  },
  {
    what: 'a compute price added',
    says: /added instruction of program ComputeBudget/,
    alter: appended(() => ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 5_000_000 })),
  },
  {
    what: 'a heap request added',
    says: /added instruction of program ComputeBudget/,
    alter: appended(() => ComputeBudgetProgram.requestHeapFrame({ bytes: 64 * 1024 })),
  },
  {
    what: 'a lower compute limit',
    says: /another instruction 1/,
    alter: replaced(0, () => ComputeBudgetProgram.setComputeUnitLimit({ units: 59_999 })),
  },
  {
    what: 'a lower compute price',
    says: /another instruction 2/,
    alter: replaced(1, () => ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 99_999 })),
  },
  {
    what: 'a compute price beyond what wallets may raise it to',
    says: /lamports of network fee, at most 200000/,
    alter: replaced(1, () => ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 4_000_000 })),
  },
  {
    what: 'no memo',
    says: /other signers|instructions, issued were 4/,
    alter: message(({ instructions }) => ({ instructions: instructions.slice(0, 3) })),
  },
  {
    what: 'no transfer',
    says: /instructions, issued were 4/,
    alter: message(({ instructions: [limit, price, , memo] }) => ({ instructions: [limit!, price!, memo!] })),
  },
  {
    what: "another launch's memo",
    says: /another instruction 4/,
    alter: replaced(3, (_old, original) =>
      memoInstruction(`launch/${original.other.prepared.quoteId}/1`, [walletOf(original)]),
    ),
  },
  {
    what: 'a memo without the launch wallet',
    says: /another instruction 4/,
    alter: replaced(3, (old) => new TransactionInstruction({ ...old, keys: [] })),
  },
  {
    what: 'a memo that the creator signs too',
    says: /another instruction 4/,
    alter: replaced(3, (old, { creator }) => {
      return new TransactionInstruction({ ...old, keys: [...old.keys, unsafe(creator.address, true, false)] });
    }),
  },
  {
    what: 'another signer asked for',
    says: /other signers/,
    alter: message(
      ({ instructions }) => ({
        instructions: [...instructions, lighthouse([unsafe(stranger.publicKey, true, false)])],
      }),
      [stranger],
    ),
  },
  {
    what: 'memo before transfer',
    says: /another instruction 3/,
    alter: message(({ instructions: [limit, price, pay, memo] }) => ({
      instructions: [limit!, price!, memo!, pay!],
    })),
  },
  {
    what: 'compute budget in another order',
    says: /another instruction 1/,
    alter: message(({ instructions: [limit, price, ...rest] }) => ({ instructions: [price!, limit!, ...rest] })),
  },
  { what: 'a v0 message', says: /version 0/, alter: asV0 },
  { what: 'a lookup table in use', says: /version 0/, alter: withLookupTable },
  { what: 'a lookup table without use', says: /version 0/, alter: withUnusedLookupTable },
  {
    what: 'a Lighthouse assertion that writes an account',
    says: /writable/,
    alter: appended(() => lighthouse([unsafe(stranger.publicKey, false, true)])),
  },
  {
    what: 'a Lighthouse assertion that names the launch wallet',
    says: /which signs too/,
    alter: appended((o) => lighthouse([unsafe(walletOf(o), false, false)])),
  },
  {
    what: 'a transfer behind a Lighthouse assertion',
    says: /added instruction of program 1{32}/,
    alter: message(({ instructions }, original) => ({ instructions: [...instructions, lighthouse(), dust(original)] })),
  },
  {
    what: 'a signature by another key',
    says: /not .*'s over this message/,
    alter: signature((_original, bytesToSign) => ed25519.sign(bytesToSign, stranger.secretKey.subarray(0, 32))),
  },
  {
    what: 'no signature',
    says: /is not signed by .*requireAllSignatures: false/,
    alter: signature(() => new Uint8Array(64)),
  },
  {
    what: 'a signature with one bit flipped',
    says: /not .*'s over this message/,
    alter: bytes((wire) => flipped(wire, 20)),
  },
  {
    what: 'the signature of the other payment',
    says: /not .*'s over this message/,
    alter: signature(({ other }) => transactionOf(other.submission.signedTransaction).signatures[0]!),
  },
  {
    what: 'a signature with a scalar out of range',
    says: /not .*'s over this message/,
    alter: signature(({ submission }) => withHighScalar(transactionOf(submission.signedTransaction).signatures[0]!)),
  },
  {
    what: 'no place for a signature',
    says: /not a Solana transaction/,
    alter: (o) => withSignatures(o, () => []),
  },
  {
    what: 'a signature too many',
    says: /not a Solana transaction/,
    alter: (o) => withSignatures(o, (all) => [...all, new Uint8Array(64)]),
  },
  {
    what: 'the other payment, properly signed',
    says: /blockhash|instruction|signer/,
    alter: (o) => o.other.submission && { signedTransaction: o.other.submission.signedTransaction },
  },
  { what: 'one bit of the message flipped', says: /./, alter: bytes((wire) => flipped(wire, wire.length - 60)) },
  {
    what: 'the last byte cut off',
    says: /not a Solana transaction|belong to no/,
    alter: bytes((w) => w.subarray(0, -1)),
  },
  {
    what: 'half of it',
    says: /not a Solana transaction|belong to no/,
    alter: bytes((w) => w.subarray(0, w.length / 2)),
  },
  { what: 'a byte behind it', says: /belong to no transaction/, alter: bytes((w) => Buffer.concat([w, Buffer.of(0)])) },
  { what: 'itself twice', says: /belong to no transaction/, alter: bytes((w) => Buffer.concat([w, w])) },
  { what: 'more than a packet', says: /at most 1232/, alter: bytes((w) => Buffer.concat([w, Buffer.alloc(900)])) },
  { what: 'nothing', says: /signedTransaction/, alter: () => ({ signedTransaction: '' }) },
  { what: 'a word', says: /not base64/, alter: () => ({ signedTransaction: 'not a transaction!' }) },
  {
    what: 'random bytes',
    says: /not a Solana|belong to no/,
    alter: () => ({ signedTransaction: Buffer.alloc(300, 0xa7).toString('base64') }),
  },
  { what: 'base58 instead of base64', says: /./, alter: text((t) => bs58.encode(Buffer.from(t, 'base64'))) },
  {
    what: 'base64 with a foreign character in it',
    says: /not base64/,
    alter: text((t) => `${t.slice(0, 76)}.${t.slice(76)}`),
  },
  { what: 'base64 with padding too much', says: /not base64/, alter: text((t) => `${t}====`) },
];
