import type { TransactionInstruction } from '@solana/web3.js';
import { STEP_COMPUTE_UNITS } from '../lanes/step.ts';
import type { Stamp } from '../lanes/stamp.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type PlannedTransaction, type SignedTransaction } from './compile.ts';
import { signTransaction } from './sign-transaction.ts';

export interface PurposeFrame {
  readonly stamp: Stamp;
  /** Pays network fee and rent. */
  readonly payer: TransactionSigner;
  readonly wallet: TransactionSigner;
  readonly computeUnitPrice: bigint;
}

export interface PurposedWork {
  readonly instructions: readonly TransactionInstruction[];
  /** Signers besides payer and wallet. */
  readonly signers: readonly TransactionSigner[];
  /** Upper bound of the compute units. */
  readonly computeUnits: number;
}

export function compilePurposed(frame: Omit<PurposeFrame, 'wallet'>, work: PurposedWork): PlannedTransaction {
  const { stamp, payer, computeUnitPrice } = frame;
  return compileTransaction({
    payer: payer.publicKey,
    blockhash: stamp.blockhash,
    computeUnitPrice,
    computeUnits: work.computeUnits + STEP_COMPUTE_UNITS,
    instructions: stamp.mark(work.instructions),
  });
}

export function signPurposed(frame: PurposeFrame, work: PurposedWork): Promise<SignedTransaction> {
  const { payer, wallet, stamp } = frame;
  return signMovement(stamp, compilePurposed(frame, work), [payer, wallet, ...work.signers]);
}

/** Signs only what the stamp covers. Each key signs once: it may have several roles, or none. */
export async function signMovement(
  stamp: Stamp,
  transaction: PlannedTransaction,
  signers: readonly TransactionSigner[],
): Promise<SignedTransaction> {
  stamp.assertCarriedBy(transaction.meant.instructions);
  const { staticAccountKeys, header } = transaction.message;
  const asked = staticAccountKeys.slice(0, header.numRequiredSignatures);
  const all = [...signers, stamp.signer];
  const found = asked.flatMap((key) => all.find(({ publicKey }) => publicKey.equals(key)) ?? []);
  return signTransaction(transaction, found);
}
