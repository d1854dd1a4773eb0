import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { LaunchQuote } from '../../../client/index.ts';
import { memoInstruction } from '../../../chain/transactions/memo.ts';

/** One way in which a platform lies to a creator who is about to pay. */
export interface PaymentTamper {
  readonly what: string;
  /** What the client says. */
  readonly says: RegExp;
  /** Fields of prepare's answer that are replaced. */
  readonly tamper: (quote: LaunchQuote) => Partial<LaunchQuote>;
}

interface Parts {
  payerKey: PublicKey;
  instructions: TransactionInstruction[];
}

const thief = Keypair.generate().publicKey;
const toThief = (from: PublicKey, lamports = 1) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: thief, lamports });
const account = (pubkey: PublicKey, isSigner = false, isWritable = false) => ({ pubkey, isSigner, isWritable });
const called = (programId: PublicKey, keys = [account(thief)]) =>
  new TransactionInstruction({ programId, keys, data: Buffer.of(2, 0, 0, 0) });

/** The issued payment put together otherwise. */
const rebuilt = (change: (parts: Parts, quote: LaunchQuote) => Partial<Parts>) => (quote: LaunchQuote) => {
  const parts = partsOf(quote);
  return { paymentTransaction: base64Of(compiled(quote, { ...parts, ...change(parts, quote) })) };
};

const appended = (make: (creator: PublicKey, launchWallet: PublicKey) => TransactionInstruction) =>
  rebuilt(({ instructions, payerKey }, { payment }) => ({
    instructions: [...instructions, make(payerKey, new PublicKey(payment.to))],
  }));

/** Replaces an instruction: 0 and 1 compute budget, 2 transfer, 3 memo. */
const replaced = (index: number, make: (creator: PublicKey, quote: LaunchQuote) => TransactionInstruction) =>
  rebuilt(({ instructions, payerKey }, quote) => ({ instructions: instructions.with(index, make(payerKey, quote)) }));

const paying = (lamports: (quoted: number) => number, to = (quote: LaunchQuote) => new PublicKey(quote.payment.to)) =>
  replaced(2, (fromPubkey, quote) =>
    SystemProgram.transfer({ fromPubkey, toPubkey: to(quote), lamports: lamports(quote.payment.lamports) }),
  );

const same = (lamports: number) => lamports;
const payment =
  (change: (payment: LaunchQuote['payment']) => Partial<LaunchQuote['payment']>) => (quote: LaunchQuote) => ({
    payment: { ...quote.payment, ...change(quote.payment) },
  });

/** Every lie about a payment that the client must see before it signs. */
export const PAYMENT_TAMPERS: readonly PaymentTamper[] = [
  { what: 'another fee payer', says: /to be paid by/, tamper: rebuilt(() => ({ payerKey: thief })) },
  { what: 'one lamport more', says: /moves \d+ lamports, quoted were/, tamper: paying((quoted) => quoted + 1) },
  { what: 'one lamport less', says: /moves \d+ lamports, quoted were/, tamper: paying((quoted) => quoted - 1) },
  { what: 'another destination', says: /transfer is to/, tamper: paying(same, () => thief) },
  { what: 'a second transfer', says: /not exactly one transfer/, tamper: appended((creator) => toThief(creator)) },
  {
    what: 'a second transfer to the launch wallet',
    says: /not exactly one transfer/,
    tamper: appended((fromPubkey, toPubkey) => SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 1 })),
  },
  {
    what: 'no transfer',
    says: /not exactly one transfer/,
    tamper: rebuilt(({ instructions }) => ({ instructions: instructions.toSpliced(2, 1) })),
  },
  {
    what: 'the wallet given to another program',
    says: /something else with SOL/,
    tamper: replaced(2, (creator) => SystemProgram.assign({ accountPubkey: creator, programId: thief })),
  },
  {
    what: 'a transfer by seed in place of the plain one',
    says: /something else with SOL/,
    tamper: replaced(2, (fromPubkey, { payment: { to } }) =>
      SystemProgram.transfer({
        fromPubkey,
        basePubkey: fromPubkey,
        toPubkey: new PublicKey(to),
        lamports: 1,
        seed: 'x',
        programId: SystemProgram.programId,
      }),
    ),
  },
  {
    what: 'a second co-signer',
    says: /asks for the signature of/,
    tamper: appended(() => called(SystemProgram.programId, [account(thief, true)])),
  },
  {
    what: 'a co-signer that is not the wallet that is paid',
    says: /asks for the signature of/,
    tamper: replaced(3, (_creator, { quoteId }) => memoInstruction(`launch/${quoteId}/1`, [thief])),
  },
  {
    what: 'no co-signer, so that the payment could land alone',
    says: /could land alone/,
    tamper: rebuilt(({ instructions, payerKey: fromPubkey }, { quoteId, payment: { to, lamports } }) => ({
      instructions: [
        ...instructions.slice(0, 2),
        SystemProgram.transfer({ fromPubkey, toPubkey: new PublicKey(to), lamports }),
        memoInstruction(`launch/${quoteId}/1`),
      ],
    })),
  },
  { what: 'an unknown program', says: /it calls/, tamper: appended(() => called(thief)) },
  {
    what: 'a token program',
    says: /it calls Token/,
    tamper: appended((creator) =>
      called(new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'), [account(creator, true, true)]),
    ),
  },
  {
    what: 'an account that has no part in it',
    says: /which has no part in a payment/,
    tamper: replaced(
      0,
      () =>
        new TransactionInstruction({
          ...ComputeBudgetProgram.setComputeUnitLimit({ units: 60_000 }),
          keys: [account(thief, false, true)],
        }),
    ),
  },
  {
    what: 'a priority fee that eats the wallet up',
    says: /lamports of network fee/,
    tamper: replaced(1, () => ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10_000_000_000n })),
  },
  {
    what: 'a second compute price',
    says: /one compute limit and one compute price/,
    tamper: appended(() => ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1n })),
  },
  {
    what: 'a request of heap',
    says: /compute budget program for something else/,
    tamper: appended(() => ComputeBudgetProgram.requestHeapFrame({ bytes: 64 * 1024 })),
  },
  {
    what: 'no compute limit, so that the most is paid for',
    says: /one compute limit/,
    tamper: rebuilt(({ instructions }) => ({ instructions: instructions.slice(1) })),
  },
  {
    what: 'the memo of another quote',
    says: /its memo is/,
    tamper: replaced(3, (_creator, { payment: { to } }) => memoInstruction('launch/another/1', [new PublicKey(to)])),
  },
  { what: 'a second memo', says: /not exactly one memo/, tamper: appended(() => memoInstruction('hello')) },
  {
    what: 'a memo that the creator signs',
    says: /not signed by the launch wallet alone/,
    tamper: replaced(3, (creator, { quoteId, payment: { to } }) =>
      memoInstruction(`launch/${quoteId}/1`, [new PublicKey(to), creator]),
    ),
  },
  {
    what: 'a versioned message',
    says: /versioned transaction/,
    tamper: (quote) => {
      const message = new TransactionMessage({ ...partsOf(quote), recentBlockhash: thief.toBase58() });
      return { paymentTransaction: base64Of(new VersionedTransaction(message.compileToV0Message())) };
    },
  },
  {
    what: 'bytes behind the message',
    says: /bytes behind its end/,
    tamper: (quote) => ({ paymentTransaction: `${trimmed(quote.paymentTransaction)}AAAA` }),
  },
  { what: 'no transaction', says: /refused/, tamper: () => ({ paymentTransaction: 'AAAA' }) },
  { what: 'no base64', says: /refused/, tamper: () => ({ paymentTransaction: 'no transaction!' }) },
  {
    what: 'a higher price in answer and payment alike',
    says: /at most 400000000 were allowed/,
    tamper: (quote) => {
      const { lamports, items } = quote.payment;
      const more = lamports + 1_000_000_000;
      const raised = {
        ...quote,
        payment: {
          ...quote.payment,
          lamports: more,
          items: items.map((item) => ({ ...item, lamports: item.lamports + 1_000_000_000 })),
        },
      };
      return { ...raised, ...paying(same)(raised) };
    },
  },
  {
    what: 'a price that its items do not add up to',
    says: /add up to/,
    tamper: payment(({ items }) => ({ items: items.map((item) => ({ ...item, lamports: item.lamports - 1 })) })),
  },
  {
    what: 'a dev buy that nobody asked for',
    says: /with devBuy, which was not asked for/,
    tamper: () => ({ devBuy: { tokens: 1, tokensRaw: '1', lamports: 0 } }),
  },
  {
    what: 'an item for an airdrop that nobody asked for',
    says: /lamports for airdrop, agreed were 0/,
    tamper: payment(({ items, lamports }) => ({
      items: [{ item: 'airdrop', lamports: 1 }, ...items.map((item) => ({ ...item, lamports: lamports - 1 }))],
    })),
  },
  { what: 'another fee model', says: /quote for a reward launch/, tamper: () => ({ mode: 'reward' }) },
  { what: 'a transfer tax', says: /its transfer tax is 300 bps/, tamper: () => ({ transferFee: { bps: 300 } }) },
  {
    what: 'the creator as launch wallet',
    says: /transfer is to|could land alone|asks for the signature/,
    tamper: (quote) => payment(() => ({ to: partsOf(quote).payerKey.toBase58() }))(quote),
  },
  {
    what: 'lamports that are no whole number',
    says: /no amount of lamports/,
    tamper: payment(() => ({ lamports: 0.5 })),
  },
];

function transactionOf({ paymentTransaction }: LaunchQuote): VersionedTransaction {
  return VersionedTransaction.deserialize(Buffer.from(paymentTransaction, 'base64'));
}

function partsOf(quote: LaunchQuote): Parts {
  const { payerKey, instructions } = TransactionMessage.decompile(transactionOf(quote).message);
  return { payerKey, instructions };
}

function compiled(quote: LaunchQuote, { payerKey, instructions }: Parts): VersionedTransaction {
  const transaction = new Transaction();
  transaction.feePayer = payerKey;
  transaction.recentBlockhash = transactionOf(quote).message.recentBlockhash;
  return new VersionedTransaction(transaction.add(...instructions).compileMessage());
}

function base64Of(transaction: VersionedTransaction): string {
  return Buffer.from(transaction.serialize()).toString('base64');
}

/** Cuts off what is less than three bytes, so that more base64 can follow. */
function trimmed(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const padding = Buffer.alloc((3 - (bytes.length % 3)) % 3);
  return Buffer.concat([bytes, padding]).toString('base64');
}
