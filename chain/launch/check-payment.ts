import {
  type MessageCompiledInstruction,
  PublicKey,
  type VersionedMessage,
  VersionedMessage as Message,
  type VersionedTransaction,
} from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import { quoteIdOfPayment } from '../../domain/purpose.ts';
import { signatureOf } from '../transactions/compile.ts';
import { MEMO_PROGRAM_ID } from '../transactions/memo.ts';
import { assertFeePayerSigned, parseSignedTransaction } from '../transactions/signed-by-wallet.ts';

/** Lighthouse, whose read-only assertions wallets such as Phantom append to what they sign. */
export const LIGHTHOUSE_PROGRAM_ID = new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');

/** A payment that its creator really signed and that does what was issued. */
export interface CheckedPayment {
  readonly transaction: VersionedTransaction;
  /** The creator's signature, base58: the id of the payment. */
  readonly signature: string;
}

/**
 * Checks a signed payment against the issued message: the issued instructions in their order, followed at most by
 * Lighthouse assertions, with the same fee payer, blockhash and signers, validly signed by the creator.
 * Throws AppError `invalid_request` that says what differs.
 */
export function checkSignedPayment(issuedMessage: string, signedTransaction: string): CheckedPayment {
  const transaction = parseSignedTransaction(signedTransaction, altered);
  const issued = Message.deserialize(Buffer.from(issuedMessage, 'base64'));
  compareMessages(issued, transaction.message);
  assertFeePayerSigned(transaction, altered);
  return { transaction, signature: signatureOf(transaction) };
}

/** The quote that a signed payment (base64) says it pays for, unchecked; null where it is no payment. */
export function quoteIdIn(signedTransaction: string): string | null {
  const { message } = parseSignedTransaction(signedTransaction, altered);
  const memos = message.compiledInstructions.filter(({ programIdIndex }) =>
    message.staticAccountKeys[programIdIndex]?.equals(MEMO_PROGRAM_ID),
  );
  const purposes = memos.map(({ data }) => Buffer.from(data).toString('utf8'));
  return purposes.map(quoteIdOfPayment).find((quoteId) => quoteId !== null) ?? null;
}

function compareMessages(issued: VersionedMessage, signed: VersionedMessage): void {
  if (sameBytes(issued.serialize(), signed.serialize())) return;
  if (signed.version !== issued.version) throw altered(`is of version ${signed.version}, issued was ${issued.version}`);
  if (signed.addressTableLookups.length > 0) throw altered('uses an address lookup table');
  if (signed.recentBlockhash !== issued.recentBlockhash) throw altered(`has blockhash ${signed.recentBlockhash}`);
  compareSigners(issued, signed);
  compareInstructions(issued, signed);
}

function compareSigners(issued: VersionedMessage, signed: VersionedMessage): void {
  const count = issued.header.numRequiredSignatures;
  if (signed.header.numRequiredSignatures !== count) throw altered('has other signers than issued');
  for (let index = 0; index < count; index++) {
    const key = signed.staticAccountKeys[index];
    if (!key?.equals(issued.staticAccountKeys[index]!)) throw altered(`has ${key?.toBase58()} as signer ${index + 1}`);
    if (signed.isAccountWritable(index) !== issued.isAccountWritable(index))
      throw altered('changes a signer to writable');
  }
}

function compareInstructions(issued: VersionedMessage, signed: VersionedMessage): void {
  const wanted = issued.compiledInstructions;
  const actual = signed.compiledInstructions;
  if (actual.length < wanted.length) throw altered(`has ${actual.length} instructions, issued were ${wanted.length}`);
  wanted.forEach((instruction, index) => {
    if (!sameInstruction(issued, instruction, signed, actual[index]!)) {
      throw altered(`has another instruction ${index + 1} than issued`);
    }
  });
  actual.slice(wanted.length).forEach((instruction) => assertHarmless(issued, signed, instruction));
}

/** An appended instruction may only assert: Lighthouse, and no account writable that the payment did not write. */
function assertHarmless(issued: VersionedMessage, signed: VersionedMessage, extra: MessageCompiledInstruction): void {
  const program = signed.staticAccountKeys[extra.programIdIndex];
  if (!program?.equals(LIGHTHOUSE_PROGRAM_ID)) {
    throw altered(
      `has an added instruction of program ${program?.toBase58()}; only Lighthouse assertions may be added`,
    );
  }
  const writable = issued.staticAccountKeys.filter((_, index) => issued.isAccountWritable(index));
  for (const index of extra.accountKeyIndexes) {
    const key = signed.staticAccountKeys[index];
    if (signed.isAccountWritable(index) && !writable.some((allowed) => key && allowed.equals(key))) {
      throw altered(`makes ${key?.toBase58()} writable`);
    }
  }
}

function sameInstruction(
  a: VersionedMessage,
  left: MessageCompiledInstruction,
  b: VersionedMessage,
  right: MessageCompiledInstruction,
): boolean {
  const keysOf = (message: VersionedMessage, instruction: MessageCompiledInstruction) =>
    [instruction.programIdIndex, ...instruction.accountKeyIndexes].map((index) => {
      const flags = `${message.isAccountSigner(index)}/${message.isAccountWritable(index)}`;
      return `${message.staticAccountKeys[index]?.toBase58()}/${flags}`;
    });
  return sameBytes(left.data, right.data) && keysOf(a, left).join() === keysOf(b, right).join();
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a).equals(b);
}

function altered(what: string): AppError {
  return new AppError(
    'invalid_request',
    `signedTransaction ${what}; sign the paymentTransaction from prepare unaltered`,
  );
}
