import type { TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import { STEP_COMPUTE_UNITS } from '../lanes/step.ts';
import type { Stamp } from '../lanes/stamp.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction, signTransaction } from './compile.ts';

/** What the transactions of a job have in common that works through one wallet. */
export interface PurposeFrame {
  /** Makes the transaction the one that carries out its movement. */
  readonly stamp: Stamp;
  /** Pays network fee and rent. */
  readonly payer: TransactionSigner;
  /** The job's wallet. */
  readonly wallet: TransactionSigner;
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

/** Puts the step of the movement's lane in front and compiles; all signatures are missing. */
export function compilePurposed(frame: Omit<PurposeFrame, 'wallet'>, work: PurposedWork): VersionedTransaction {
  const { stamp, payer, computeUnitPrice } = frame;
  return compileTransaction({
    payer: payer.publicKey,
    blockhash: stamp.blockhash,
    computeUnitPrice,
    computeUnits: work.computeUnits + STEP_COMPUTE_UNITS,
    instructions: stamp.mark(work.instructions),
  });
}

/** The same, signed. */
export function signPurposed(frame: PurposeFrame, work: PurposedWork): Promise<SignedTransaction> {
  const { payer, wallet, stamp } = frame;
  return signAsAsked(compilePurposed(frame, work), [payer, wallet, stamp.signer, ...work.signers]);
}

/** Signs with those keys that the transaction asks for, once with each: some of them play several parts, others none. */
export function signAsAsked(
  transaction: VersionedTransaction,
  signers: readonly TransactionSigner[],
): Promise<SignedTransaction> {
  const { staticAccountKeys, header } = transaction.message;
  const asked = staticAccountKeys.slice(0, header.numRequiredSignatures);
  const found = asked.flatMap((key) => signers.find(({ publicKey }) => publicKey.equals(key)) ?? []);
  return signTransaction(transaction, found);
}
