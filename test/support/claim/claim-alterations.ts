import { createTransferCheckedInstruction } from '@solana/spl-token';
import {
  AddressLookupTableAccount,
  Keypair,
  type MessageV0,
  type PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { guard } from '../wallets/wallets.ts';
import type { PreparedClaim } from './claimant.ts';
import { accountOf, decode, encode, type Market } from './claim-market.ts';

/** A claim as it was issued, and who it was issued to. */
export interface Original {
  readonly claim: PreparedClaim;
  readonly market: Market;
  /** A claim of another launch, by the same wallet's owner. */
  readonly other: PreparedClaim;
}

/** One way in which a submitted transaction is not the one that was issued. */
export interface ClaimAlteration {
  readonly what: string;
  /** What the refusal says. */
  readonly says: RegExp;
  /** The altered transaction, base64. */
  alter(original: Original): string;
}

const stranger = Keypair.generate();

const HARVEST = { feeKey: 5, base: 6, quote: 7 };

/** Every way in which a claim is altered. */
export const CLAIM_ALTERATIONS: readonly ClaimAlteration[] = [
  { what: 'unsigned', says: /is not signed by .*requireAllSignatures: false/, alter: ({ claim }) => claim.transaction },
  {
    what: 'a signature of somebody else',
    says: /carries a signature that is not/,
    alter: ({ claim, market }) => withSignature(claim, signedMessage(claim, market).with(0, 1)),
  },
  { what: 'another fee payer', says: /fee payer/, alter: rebuilt(() => ({ payerKey: stranger.publicKey })) },
  {
    what: 'another blockhash',
    says: /has blockhash/,
    alter: rebuilt(() => ({ recentBlockhash: Keypair.generate().publicKey.toBase58() })),
  },
  {
    what: 'the quote tokens to another account',
    says: /another instruction \d+ than issued/,
    alter: rebuilt(({ instructions }) => ({ instructions: redirected(instructions, HARVEST.quote) })),
  },
  {
    what: 'the base tokens to another account',
    says: /another instruction \d+ than issued/,
    alter: rebuilt(({ instructions }) => ({ instructions: redirected(instructions, HARVEST.base) })),
  },
  {
    what: 'one raw unit more',
    says: /another instruction \d+ than issued/,
    alter: rebuilt(({ instructions }) => ({ instructions: withMore(instructions, HARVEST.quote) })),
  },
  {
    what: 'a transfer of SOL added',
    says: /added instruction of program/,
    alter: rebuilt(({ instructions, payerKey }) => ({
      instructions: [
        ...instructions,
        SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: stranger.publicKey, lamports: 1 }),
      ],
    })),
  },
  {
    what: 'a transfer of the tokens added',
    says: /added instruction of program/,
    alter: (original) =>
      rebuilt(({ instructions }) => ({ instructions: [...instructions, drain(original.market)] }))(original),
  },
  {
    what: 'an instruction of a program that was not issued',
    says: /added instruction of program/,
    alter: rebuilt(({ instructions }) => ({ instructions: [...instructions, foreign()] })),
  },
  {
    what: 'a guard in front of the nonce’s advance',
    says: /in front of the advance of the nonce, which must come first/,
    alter: rebuilt(({ instructions, payerKey }) => ({ instructions: [guard([payerKey]), ...instructions] })),
  },
  {
    what: 'a guard that names the platform’s wallet',
    says: /which signs too/,
    alter: rebuilt(({ instructions }) => ({
      instructions: [...instructions, guard([instructions[0]!.keys[2]!.pubkey])],
    })),
  },
  {
    what: 'a second memo that reads as the platform’s',
    says: /added instruction of program Memo/,
    alter: rebuilt(({ instructions }) => ({ instructions: [...instructions, memoInstruction('claim/x/kill')] })),
  },
  {
    what: 'the nonce’s advance left out',
    says: /has other signers than issued/,
    alter: rebuilt(({ instructions }) => ({ instructions: instructions.slice(1) })),
  },
  {
    what: 'the memo left out',
    says: /has 9 instructions, issued were 10/,
    alter: rebuilt(({ instructions }) => ({ instructions: instructions.slice(0, -1) })),
  },
  {
    what: 'the proof of the Fee Key left out',
    says: /has 9 instructions, issued were 10/,
    alter: rebuilt(({ instructions }) => ({ instructions: instructions.toSpliced(HARVEST.feeKey, 1) })),
  },
  {
    what: 'two instructions in another order',
    says: /another instruction \d+ than issued/,
    alter: rebuilt(({ instructions }) => ({
      instructions: instructions
        .with(HARVEST.base, instructions[HARVEST.quote]!)
        .with(HARVEST.quote, instructions[HARVEST.base]!),
    })),
  },
  {
    what: 'another compute price',
    says: /another instruction \d+ than issued/,
    alter: rebuilt(({ instructions }) => {
      const [, , price] = instructions;
      price!.data.writeBigUInt64LE(1n, 1);
      return { instructions };
    }),
  },
  {
    what: 'a v0 message in place of legacy',
    says: /is of version 0, issued was legacy/,
    alter: ({ claim, market }) => {
      const versioned = parts(claim).compileToV0Message();
      return signedBy(new VersionedTransaction(versioned), market);
    },
  },
  {
    what: 'a lookup table',
    says: /is of version 0/,
    alter: ({ claim, market }) => signedBy(new VersionedTransaction(withTable(claim, market)), market),
  },
  {
    what: 'the transaction of another intent',
    says: /has blockhash|fee payer|another instruction/,
    alter: ({ other, market }) => signedBy(decode(other.transaction), market),
  },
  {
    what: 'the last byte cut off',
    says: /not a Solana transaction|bytes that belong/,
    alter: ({ claim, market }) => bytes(signedTransaction(claim, market).subarray(0, -1)),
  },
  {
    what: 'half of it',
    says: /not a Solana transaction|bytes that belong/,
    alter: ({ claim, market }) => bytes(signedTransaction(claim, market).subarray(0, 300)),
  },
  {
    what: 'a byte added at the end',
    says: /bytes that belong to no transaction|not a Solana transaction/,
    alter: ({ claim, market }) => bytes(Buffer.concat([signedTransaction(claim, market), Buffer.of(0)])),
  },
  { what: 'not base64', says: /is not base64/, alter: () => '%%%' },
  {
    what: 'random bytes',
    says: /not a Solana transaction|bytes that belong/,
    alter: () => bytes(Buffer.alloc(200, 7)),
  },
];

type Rebuild = (message: TransactionMessage) => Partial<{
  payerKey: PublicKey;
  recentBlockhash: string;
  instructions: TransactionInstruction[];
}>;

/** The issued message with something else in it, signed by the creator (and by a stranger where one pays). */
function rebuilt(change: Rebuild): ClaimAlteration['alter'] {
  return ({ claim, market }) => {
    const message = parts(claim);
    return signedBy(compiledAnew({ ...message, ...change(message) }), market);
  };
}

/** As wallets compile what they changed. */
function compiledAnew({ payerKey, recentBlockhash, instructions }: MessageParts): VersionedTransaction {
  const transaction = new Transaction();
  transaction.feePayer = payerKey;
  transaction.recentBlockhash = recentBlockhash;
  return new VersionedTransaction(transaction.add(...instructions).compileMessage());
}

type MessageParts = Pick<TransactionMessage, 'payerKey' | 'recentBlockhash' | 'instructions'>;

function parts({ transaction }: PreparedClaim): TransactionMessage {
  return TransactionMessage.decompile(decode(transaction).message);
}

function signedBy(transaction: VersionedTransaction, { creator }: Market): string {
  const signers = transaction.message.staticAccountKeys.slice(0, transaction.message.header.numRequiredSignatures);
  const keys = [creator.keypair, stranger].filter(({ publicKey }) => signers.some((key) => key.equals(publicKey)));
  transaction.sign(keys);
  return encode(transaction);
}

function signedTransaction({ transaction }: PreparedClaim, market: Market): Buffer {
  return Buffer.from(signedBy(decode(transaction), market), 'base64');
}

function signedMessage(claim: PreparedClaim, market: Market): Uint8Array {
  const signature = decode(signedBy(decode(claim.transaction), market)).signatures[0];
  return signature ?? new Uint8Array(64);
}

function withSignature({ transaction }: PreparedClaim, signature: Uint8Array): string {
  const altered = decode(transaction);
  altered.signatures[0] = signature;
  return encode(altered);
}

function bytes(wire: Uint8Array): string {
  return Buffer.from(wire).toString('base64');
}

function redirected(instructions: TransactionInstruction[], index: number): TransactionInstruction[] {
  instructions[index]!.keys[2]!.pubkey = stranger.publicKey;
  return instructions;
}

/** A checked transfer's amount stands after its tag. */
function withMore(instructions: TransactionInstruction[], index: number): TransactionInstruction[] {
  const { data } = instructions[index]!;
  data.writeBigUInt64LE(data.readBigUInt64LE(1) + 1n, 1);
  return instructions;
}

function drain({ quote, creator }: Market): TransactionInstruction {
  const [from, to] = [accountOf(quote, creator.address), accountOf(quote, stranger.publicKey)];
  return createTransferCheckedInstruction(
    from,
    quote.mint,
    to,
    creator.address,
    1n,
    quote.decimals,
    [],
    quote.tokenProgram,
  );
}

function foreign(): TransactionInstruction {
  return new TransactionInstruction({ programId: stranger.publicKey, keys: [], data: Buffer.of(1) });
}

function withTable(claim: PreparedClaim, { quote }: Market): MessageV0 {
  const table = new AddressLookupTableAccount({
    key: stranger.publicKey,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [quote.mint],
    },
  });
  return parts(claim).compileToV0Message([table]);
}
