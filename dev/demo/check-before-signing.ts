import {
  ComputeBudgetProgram,
  type PublicKey,
  SystemInstruction,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { MEMO_PROGRAM_ID } from '../../chain/transactions/memo.ts';

/**
 * What a careful creator checks before signing a payment: it is paid by the creator alone, moves exactly the quoted
 * lamports once, and does nothing else. Throws an Error that says what is wrong.
 */
export function checkBeforeSigning(base64: string, creator: PublicKey, lamports: number): VersionedTransaction {
  const transaction = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
  const { payerKey, instructions } = TransactionMessage.decompile(transaction.message);
  if (!payerKey.equals(creator)) throw new Error(`the payment is to be paid by ${payerKey.toBase58()}`);
  const transfers = instructions.filter(({ programId }) => programId.equals(SystemProgram.programId));
  const [transfer] = transfers.map((instruction) => SystemInstruction.decodeTransfer(instruction));
  if (transfers.length !== 1 || !transfer)
    throw new Error(`the payment has ${transfers.length} transfers, expected one`);
  if (!transfer.fromPubkey.equals(creator)) throw new Error('the transfer is not from the creator');
  if (transfer.lamports !== BigInt(lamports))
    throw new Error(`it moves ${transfer.lamports} lamports, quoted were ${lamports}`);
  const harmless = [SystemProgram.programId, ComputeBudgetProgram.programId, MEMO_PROGRAM_ID];
  const foreign = instructions.find(({ programId }) => !harmless.some((program) => program.equals(programId)));
  if (foreign) throw new Error(`the payment calls ${foreign.programId.toBase58()}`);
  return transaction;
}
