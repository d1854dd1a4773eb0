import { type VersionedMessage, VersionedMessage as Message, VersionedTransaction } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import { MAX_TRANSACTION_BYTES, signatureOf } from '../transactions/compile.ts';
import { isValidSignature } from '../transactions/verify.ts';

/**
 * Checks a signed claim (base64) against the issued message: byte for byte the same, validly signed by its fee payer.
 * Nothing may be added: unlike a launch payment, a claim is a transaction that others sign too. Answers the fee payer's
 * signature, base58. Signatures of others are not looked at; they are made anew. Throws AppError `invalid_request` that
 * says what differs.
 */
export function checkSignedClaim(issuedMessage: Uint8Array, signedTransaction: string): string {
  const transaction = parseTransaction(signedTransaction);
  const bytes = transaction.message.serialize();
  if (!Buffer.from(issuedMessage).equals(bytes)) {
    throw altered(differenceOf(Message.deserialize(issuedMessage), transaction.message));
  }
  const wallet = transaction.message.staticAccountKeys[0]!;
  const signature = transaction.signatures[0]!;
  if (signature.every((byte) => byte === 0)) throw altered(`is not signed by ${wallet.toBase58()}`);
  if (!isValidSignature(signature, bytes, wallet)) {
    throw altered(`carries a signature that is not ${wallet.toBase58()}'s over this message`);
  }
  return signatureOf(transaction);
}

function parseTransaction(base64: string): VersionedTransaction {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw altered('is not canonical base64');
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw altered(`has ${bytes.length} bytes, a transaction has at most ${MAX_TRANSACTION_BYTES}`);
  }
  const transaction = deserialize(bytes);
  if (!Buffer.from(transaction.serialize()).equals(bytes)) throw altered('has bytes that belong to no transaction');
  return transaction;
}

function deserialize(bytes: Uint8Array): VersionedTransaction {
  try {
    const transaction = VersionedTransaction.deserialize(bytes);
    if (transaction.signatures.length === 0) throw new RangeError('it has no signature');
    transaction.message.serialize();
    return transaction;
  } catch (cause) {
    throw new AppError('invalid_request', 'signedTransaction is not a Solana transaction', { cause });
  }
}

/** The first thing that differs, for people. */
function differenceOf(issued: VersionedMessage, signed: VersionedMessage): string {
  if (signed.version !== issued.version) return `is of version ${signed.version}, issued was ${issued.version}`;
  if (signed.addressTableLookups.length > 0) return 'uses an address lookup table';
  const payer = signed.staticAccountKeys[0];
  if (!payer?.equals(issued.staticAccountKeys[0]!)) return `has the fee payer ${payer?.toBase58()}`;
  if (signed.recentBlockhash !== issued.recentBlockhash) return `has blockhash ${signed.recentBlockhash}`;
  const foreign = programsOf(signed).find((program) => !programsOf(issued).includes(program));
  if (foreign !== undefined) return `has an instruction of program ${foreign}, which was not issued`;
  const [wanted, actual] = [issued.compiledInstructions.length, signed.compiledInstructions.length];
  if (wanted !== actual) return `has ${actual} instructions, issued were ${wanted}`;
  return 'is not the transaction that was issued for this intent';
}

function programsOf(message: VersionedMessage): string[] {
  return message.compiledInstructions.map(({ programIdIndex }) =>
    String(message.staticAccountKeys[programIdIndex]?.toBase58()),
  );
}

function altered(what: string): AppError {
  return new AppError('invalid_request', `signedTransaction ${what}; sign the transaction from prepare unaltered`);
}
