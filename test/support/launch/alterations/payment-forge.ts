import { ed25519 } from '@noble/curves/ed25519.js';
import {
  type AddressLookupTableAccount,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { LIGHTHOUSE_PROGRAM_ID } from '../../../../chain/transactions/wallet-changes.ts';
import { signedBy } from '../../platform/creator.ts';
import type { Original } from './alteration.ts';

/** The parts of an issued payment, to be put together otherwise. */
interface Parts {
  payerKey: PublicKey;
  recentBlockhash: string;
  instructions: TransactionInstruction[];
}

type Change = (parts: Parts, original: Original) => Partial<Parts> | undefined;

/** The issued payment with its message changed, signed by the creator and by whoever else it then asks for. */
function rebuilt(original: Original, change: Change, others: readonly Keypair[] = []): { signedTransaction: string } {
  const parts = partsOf(original);
  const changed = { ...parts, ...change(parts, original) };
  return { signedTransaction: signed(original, compiledAnew(changed), others) };
}

/** As wallets compile what they changed. */
function compiledAnew({ payerKey, recentBlockhash, instructions }: Parts): VersionedTransaction {
  const transaction = new Transaction();
  transaction.feePayer = payerKey;
  transaction.recentBlockhash = recentBlockhash;
  return new VersionedTransaction(transaction.add(...instructions).compileMessage());
}

function partsOf({ prepared }: Original): Parts {
  return TransactionMessage.decompile(transactionOf(prepared.paymentTransaction).message);
}

/** Reads a base64 transaction. */
export function transactionOf(base64: string): VersionedTransaction {
  return VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
}

function base64Of(transaction: VersionedTransaction): string {
  return Buffer.from(transaction.serialize()).toString('base64');
}

function signed({ creator }: Original, transaction: VersionedTransaction, others: readonly Keypair[]): string {
  return signedBy(base64Of(transaction), [creator.keypair, ...others]);
}

/** The bytes of the properly signed transaction, changed. */
export const bytes = (change: (wire: Buffer) => Buffer) => (original: Original) => ({
  signedTransaction: change(Buffer.from(original.submission.signedTransaction, 'base64')).toString('base64'),
});

/** Replaces the creator's signature. */
export const signature = (make: (original: Original, message: Uint8Array) => Uint8Array) => (original: Original) => {
  const transaction = transactionOf(original.submission.signedTransaction);
  transaction.signatures[0] = make(original, transaction.message.serialize());
  return { signedTransaction: base64Of(transaction) };
};

/** Changes the text in which the bytes are written. */
export const text = (change: (base64: string) => string) => (original: Original) => ({
  signedTransaction: change(original.submission.signedTransaction),
});

/** Puts the payment together otherwise; `others` sign it beside the creator. */
export const message = (change: Change, others?: readonly Keypair[]) => (original: Original) =>
  rebuilt(original, change, others);

/** Adds an instruction at the end. */
export const appended = (make: (original: Original) => TransactionInstruction) =>
  message(({ instructions }, original) => ({ instructions: [...instructions, make(original)] }));

/** Replaces the instruction at an index: 0 and 1 compute budget, 2 transfer, 3 memo. */
export const replaced = (
  index: number,
  make: (old: TransactionInstruction, original: Original) => TransactionInstruction,
) =>
  message(({ instructions }, original) => ({
    instructions: instructions.map((old, at) => (at === index ? make(old, original) : old)),
  }));

/** Another amount (lamports) or destination. */
export const transfer = (lamports: (quoted: number) => number, to?: (original: Original) => PublicKey) =>
  replaced(2, (_old, original) =>
    SystemProgram.transfer({
      fromPubkey: original.creator.address,
      toPubkey: to?.(original) ?? new PublicKey(original.prepared.launchWallet),
      lamports: lamports(original.prepared.payment.lamports),
    }),
  );

/** Somebody else's wallet. */
export const stranger = Keypair.generate();
/** The launch wallet. */
export const walletOf = ({ prepared }: Original): PublicKey => new PublicKey(prepared.launchWallet);
/** The quoted amount. */
export const same = (lamports: number): number => lamports;
/** One lamport of the creator's for somebody else. */
export const dust = ({ creator }: Original): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: creator.address, toPubkey: stranger.publicKey, lamports: 1 });
/** An instruction of the program whose assertions wallets append. */
export const lighthouse = (keys: TransactionInstruction['keys'] = []): TransactionInstruction =>
  new TransactionInstruction({ programId: LIGHTHOUSE_PROGRAM_ID, keys, data: Buffer.from('assert') });
/** An account of an instruction. */
export const unsafe = (pubkey: PublicKey, isSigner: boolean, isWritable: boolean) => ({ pubkey, isSigner, isWritable });

/** A lookup table that is nowhere on the chain and holds the launch wallet's address and the stranger's. */
function tableOf(original: Original): AddressLookupTableAccount {
  const addresses = [walletOf(original), stranger.publicKey, SystemProgram.programId];
  const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses };
  return { key: Keypair.generate().publicKey, state, isActive: () => true };
}

/** Takes addresses out of a lookup table. */
export function withLookupTable(original: Original): { signedTransaction: string } {
  const parts = partsOf(original);
  const instructions = [...parts.instructions, lighthouse([unsafe(stranger.publicKey, false, false)])];
  const compiled = new TransactionMessage({ ...parts, instructions }).compileToV0Message([tableOf(original)]);
  return { signedTransaction: signed(original, new VersionedTransaction(compiled), []) };
}

/** Names a lookup table and takes nothing out of it. */
export function withUnusedLookupTable(original: Original): { signedTransaction: string } {
  const issued = new TransactionMessage(partsOf(original)).compileToV0Message();
  const { key } = tableOf(original);
  issued.addressTableLookups.push({ accountKey: key, writableIndexes: [], readonlyIndexes: [] });
  return { signedTransaction: signed(original, new VersionedTransaction(issued), []) };
}

/** The same instructions as a v0 transaction. */
export function asV0(original: Original): { signedTransaction: string } {
  const compiled = new TransactionMessage(partsOf(original)).compileToV0Message();
  return { signedTransaction: signed(original, new VersionedTransaction(compiled), []) };
}

/** Changes how many signatures there are, without touching the message. */
export function withSignatures(original: Original, change: (signatures: Uint8Array[]) => Uint8Array[]) {
  const wire = Buffer.from(original.submission.signedTransaction, 'base64');
  const { signatures } = transactionOf(original.submission.signedTransaction);
  const changed = change(signatures);
  const rest = wire.subarray(1 + 64 * signatures.length);
  return { signedTransaction: Buffer.concat([Buffer.from([changed.length]), ...changed, rest]).toString('base64') };
}

const ORDER = ed25519.Point.Fn.ORDER;

/** The same signature with the group's order added to its scalar: equal in the arithmetic, forbidden by RFC 8032. */
export function withHighScalar(signatureBytes: Uint8Array): Uint8Array {
  const scalar = BigInt(`0x${Buffer.from(signatureBytes.subarray(32)).reverse().toString('hex')}`) + ORDER;
  const high = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([signatureBytes.subarray(0, 32), high]);
}

/** Flips the lowest bit of a byte. */
export const flipped = (buffer: Buffer, at: number): Buffer => {
  buffer.writeUInt8(buffer.readUInt8(at) ^ 1, at);
  return buffer;
};

/** The issued payment with a read-only Lighthouse assertion behind it, as some wallets sign it. */
export function withAssertion(original: Original): { signedTransaction: string } {
  const assertion = lighthouse([unsafe(original.creator.address, false, false)]);
  return rebuilt(original, ({ instructions }) => ({ instructions: [...instructions, assertion] }));
}
