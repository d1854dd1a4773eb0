import { type VersionedMessage, VersionedMessage as Message } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import { signatureOf } from '../transactions/compile.ts';
import { assertFeePayerSigned, parseSignedTransaction } from '../transactions/signed-by-wallet.ts';

/**
 * Checks a signed claim (base64) against the issued message: byte for byte the same, validly signed by its fee payer.
 * Nothing may be added: unlike a launch payment, a claim is a transaction that others sign too. Answers the fee payer's
 * signature, base58. Signatures of others are not looked at; they are made anew. Throws AppError `invalid_request` that
 * says what differs.
 */
export function checkSignedClaim(issuedMessage: Uint8Array, signedTransaction: string): string {
  const transaction = parseSignedTransaction(signedTransaction, altered);
  if (!Buffer.from(issuedMessage).equals(transaction.message.serialize())) {
    throw altered(differenceOf(Message.deserialize(issuedMessage), transaction.message));
  }
  assertFeePayerSigned(transaction, altered);
  return signatureOf(transaction);
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
