import type { TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import type { Purpose } from '../../domain/purpose.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction, signTransaction } from './compile.ts';
import { memoInstruction } from './memo.ts';

/** What the transactions of a job have in common that works through one wallet. */
export interface PurposeFrame {
  readonly purpose: Purpose;
  /** Pays network fee and rent. */
  readonly payer: TransactionSigner;
  /** The job's wallet. It signs the memo, so that the transaction is found in its history and is known to be ours. */
  readonly wallet: TransactionSigner;
  readonly blockhash: string;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/** What a transaction does beside its frame. */
export interface PurposedWork {
  readonly instructions: readonly TransactionInstruction[];
  /** Signers beside payer and wallet. */
  readonly signers: readonly TransactionSigner[];
  /** Upper bound of compute units of the instructions. */
  readonly computeUnits: number;
}

/** A purpose as a memo with one signer, with room. */
const MEMO_COMPUTE_UNITS = 40_000;

/** Adds the purpose as a memo and compiles; all signatures are missing. */
export function compilePurposed(frame: PurposeFrame, work: PurposedWork): VersionedTransaction {
  const { purpose, payer, wallet, blockhash, computeUnitPrice } = frame;
  return compileTransaction({
    payer: payer.publicKey,
    blockhash,
    computeUnitPrice,
    computeUnits: work.computeUnits + MEMO_COMPUTE_UNITS,
    instructions: [...work.instructions, memoInstruction(purpose, [wallet.publicKey])],
  });
}

/** The same, signed. */
export function signPurposed(frame: PurposeFrame, work: PurposedWork): Promise<SignedTransaction> {
  // The job's wallet may pay itself, and then signs once.
  const signers = new Set([frame.payer, frame.wallet, ...work.signers]);
  return signTransaction(compilePurposed(frame, work), [...signers]);
}
