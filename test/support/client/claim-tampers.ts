import { createTransferCheckedInstruction } from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { ClaimQuote } from '../../../client/index.ts';
import { memoInstruction } from '../../../chain/transactions/memo.ts';

/** One way in which a platform lies to a creator who is about to claim. */
export interface ClaimTamper {
  readonly what: string;
  /** What the client says. */
  readonly says: RegExp;
  /** Fields of claim prepare's answer that are replaced. */
  readonly tamper: (quote: ClaimQuote) => Partial<ClaimQuote>;
}

const thief = Keypair.generate().publicKey;

/** Places of a claim's instructions on the local exchange. */
const AT = { nonce: 0, price: 2, openBase: 3, openQuote: 4, proof: 5, payment: 6 } as const;

type Parts = { readonly payerKey: PublicKey; readonly instructions: readonly TransactionInstruction[] };
type Change = (parts: Parts, quote: ClaimQuote) => Partial<Parts>;

/** The issued claim put together otherwise. */
export const rebuilt = (change: Change) => (quote: ClaimQuote) => {
  const { message } = VersionedTransaction.deserialize(Buffer.from(quote.transaction, 'base64'));
  const parts = TransactionMessage.decompile(message);
  const { payerKey, instructions } = { ...parts, ...change(parts, quote) };
  const transaction = new Transaction();
  transaction.feePayer = payerKey;
  transaction.recentBlockhash = message.recentBlockhash;
  const changed = new VersionedTransaction(transaction.add(...instructions).compileMessage());
  return { transaction: Buffer.from(changed.serialize()).toString('base64') };
};

const appended = (make: (wallet: PublicKey, parts: Parts) => TransactionInstruction) =>
  rebuilt((parts) => ({ instructions: [...parts.instructions, make(parts.payerKey, parts)] }));

const without = (index: number) => rebuilt(({ instructions }) => ({ instructions: instructions.toSpliced(index, 1) }));

type Key = TransactionInstruction['keys'][number];

/** An instruction with one account replaced. */
const withAccount = (index: number, place: number, pubkey: (wallet: PublicKey) => PublicKey = () => thief) =>
  changed(index, (old, wallet) => ({
    keys: old.keys.map((key: Key, at: number) => (at === place ? { ...key, pubkey: pubkey(wallet) } : key)),
  }));

const withData = (index: number, data: (old: Buffer) => Buffer) => changed(index, (old) => ({ data: data(old.data) }));

function changed(
  index: number,
  change: (old: TransactionInstruction, wallet: PublicKey) => Partial<TransactionInstruction>,
) {
  return rebuilt(({ instructions, payerKey }) => ({
    instructions: instructions.map((old, at) =>
      at === index ? new TransactionInstruction({ ...old, ...change(old, payerKey) }) : old,
    ),
  }));
}

const oneMore = (data: Buffer) => {
  const copy = Buffer.from(data);
  copy.writeBigUInt64LE(copy.readBigUInt64LE(1) + 1n, 1);
  return copy;
};

/** Every lie about a claim that the client must see before it signs. */
export const CLAIM_TAMPERS: readonly ClaimTamper[] = [
  { what: 'another fee payer', says: /to be paid by/, tamper: rebuilt(() => ({ payerKey: thief })) },
  { what: 'a claim for another wallet', says: /prepared for/, tamper: () => ({ creatorWallet: thief.toBase58() }) },
  { what: 'a claim of another token', says: /it claims the fees of/, tamper: () => ({ mint: thief.toBase58() }) },
  {
    what: 'amounts of another base token',
    says: /its base token is/,
    tamper: ({ amounts }) => ({ amounts: { ...amounts, base: { ...amounts.base, mint: thief.toBase58() } } }),
  },
  {
    what: 'amounts of another quote token',
    says: /its quote token is/,
    tamper: ({ amounts }) => ({ amounts: { ...amounts, quote: { ...amounts.quote, mint: thief.toBase58() } } }),
  },
  {
    what: 'more than the claim pays',
    says: /announced were/,
    tamper: ({ amounts }) => ({
      amounts: { ...amounts, quote: { ...amounts.quote, amountRaw: '99999000000', amountTokens: 99_999 } },
    }),
  },
  {
    what: 'a transfer of SOL',
    says: /system program a second time/,
    tamper: appended((fromPubkey) => SystemProgram.transfer({ fromPubkey, toPubkey: thief, lamports: 1 })),
  },
  {
    what: 'a transfer of SOL in place of the nonce’s advance',
    says: /does not begin with the advance/,
    tamper: rebuilt(({ instructions, payerKey: fromPubkey }) => ({
      instructions: instructions.with(AT.nonce, SystemProgram.transfer({ fromPubkey, toPubkey: thief, lamports: 1 })),
    })),
  },
  { what: 'no advance of a nonce', says: /does not begin with the advance/, tamper: without(AT.nonce) },
  {
    what: 'a nonce that the wallet advances itself, so that it could land alone',
    says: /not advanced by the platform/,
    tamper: withAccount(AT.nonce, 2, (wallet) => wallet),
  },
  {
    what: 'a nonce account that is the wallet’s own',
    says: /nonce of the wallet’s own/,
    tamper: withAccount(AT.nonce, 0, (wallet) => wallet),
  },
  { what: 'the Fee Key sent away', says: /moves the wallet’s tokens/, tamper: withAccount(AT.proof, 2) },
  {
    what: 'another of the wallet’s tokens as proof',
    says: /moves the wallet’s tokens/,
    tamper: withAccount(AT.proof, 1),
  },
  { what: 'the fees sent to somebody else', says: /which is not the wallet’s/, tamper: withAccount(AT.payment, 2) },
  { what: 'one raw unit more than announced', says: /announced were/, tamper: withData(AT.payment, oneMore) },
  { what: 'no payment at all', says: /announced were/, tamper: without(AT.payment) },
  {
    what: 'a transfer of the wallet’s tokens',
    says: /moves the wallet’s tokens/,
    tamper: appended((wallet, { instructions }) => {
      const [source, mint] =
        instructions[AT.payment]?.keys
          .slice(1, 3)
          .reverse()
          .map(({ pubkey }) => pubkey) ?? [];
      return createTransferCheckedInstruction(source ?? thief, mint ?? thief, thief, wallet, 1n, 9);
    }),
  },
  {
    what: 'an approval of the wallet’s tokens',
    says: /more than transfers/,
    tamper: withData(AT.proof, () => Buffer.from([4, 1, 0, 0, 0, 0, 0, 0, 0, 0])),
  },
  {
    what: 'a token account of the wallet’s given away',
    says: /gives away/,
    tamper: withData(AT.proof, () => Buffer.from([6, 2, 1, ...thief.toBytes()])),
  },
  {
    what: 'a token account opened for somebody else',
    says: /opens a token account for/,
    tamper: withAccount(AT.openBase, 2),
  },
  {
    what: 'a token account of another mint',
    says: /which it does not claim/,
    tamper: withAccount(AT.openQuote, 3),
  },
  {
    what: 'a third token account at the wallet’s expense',
    says: /opens 3 token accounts/,
    tamper: rebuilt(({ instructions }) => ({
      instructions: [...instructions, ...instructions.slice(AT.openQuote, AT.proof)],
    })),
  },
  {
    what: 'the nested accounts of the wallet recovered',
    says: /something else of a token account/,
    tamper: withData(AT.openBase, () => Buffer.of(2)),
  },
  {
    what: 'a token program that is none',
    says: /is no token program/,
    tamper: withAccount(AT.openBase, 5),
  },
  {
    what: 'an unknown program',
    says: /it calls/,
    tamper: appended((wallet) => {
      const keys = [{ pubkey: wallet, isSigner: true, isWritable: true }];
      return new TransactionInstruction({ programId: thief, keys, data: Buffer.of(1) });
    }),
  },
  {
    what: 'a stranger’s signature',
    says: /signature of|a memo of it asks/,
    tamper: appended(() => memoInstruction('hello', [thief])),
  },
  { what: 'a second memo', says: /its memos are/, tamper: appended(() => memoInstruction('hello')) },
  { what: 'the memo of another intent', says: /its memos are/, tamper: () => ({ intentId: 'another' }) },
  {
    what: 'a priority fee that eats the wallet up',
    says: /lamports of network fee/,
    tamper: rebuilt(({ instructions }) => ({
      instructions: instructions.with(
        AT.price,
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10n ** 10n }),
      ),
    })),
  },
  { what: 'no transaction', says: /refused/, tamper: () => ({ transaction: 'AAAA' }) },
];
