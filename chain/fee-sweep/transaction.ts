import type { PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { Purpose } from '../../domain/purpose.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction, signTransaction } from '../transactions/compile.ts';
import { memoInstruction } from '../transactions/memo.ts';

/** What all transactions of a fee sweep share. */
export interface SweepFrame {
  /** Pays, and is the memo's signer. */
  readonly platform: TransactionSigner;
  /** Also the memo. */
  readonly purpose: Purpose;
  readonly blockhash: string;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/** Measured: 500, where the memo's program does not charge for each byte and signer; the rest is room for one that does. */
const MEMO_COMPUTE_UNITS = 30_000;

/** Compiles and signs a transaction that the platform wallet pays for, with the purpose as its memo. */
export function signSweep(
  { platform, purpose, blockhash, computeUnitPrice }: SweepFrame,
  instructions: readonly TransactionInstruction[],
  computeUnits: number,
  signers: readonly TransactionSigner[] = [],
): Promise<SignedTransaction> {
  const payer: PublicKey = platform.publicKey;
  const transaction = compileTransaction({
    ...{ payer, blockhash, computeUnitPrice, computeUnits: computeUnits + MEMO_COMPUTE_UNITS },
    instructions: [...instructions, memoInstruction(purpose, [payer])],
  });
  return signTransaction(transaction, [platform, ...signers]);
}
