import {
  ComputeBudgetProgram,
  PublicKey,
  SystemInstruction,
  SystemProgram,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import { STEP_INSTRUCTIONS } from '../lanes/step.ts';
import type { PurposedWork } from './purposed.ts';

export interface Seal {
  /** Merkle root of the document. */
  readonly root: Uint8Array;
  /** The wallet that the document is about. Its history shows every seal. */
  readonly about: PublicKey;
}

/** Measured for a transfer to oneself: 150. */
export const SEAL_COMPUTE_UNITS = 1_000;

/**
 * Seals a document: the payer sends itself 0 lamports. The transfer names two more read-only accounts: the root, and
 * the wallet that the document is about. A reader finds the seal in the root's history.
 */
export function sealWork(payer: PublicKey, { root, about }: Seal): PurposedWork {
  const seal = SystemProgram.transfer({ fromPubkey: payer, toPubkey: payer, lamports: 0 });
  for (const pubkey of [new PublicKey(root), about]) seal.keys.push({ pubkey, isSigner: false, isWritable: false });
  return { instructions: [seal], signers: [], computeUnits: SEAL_COMPUTE_UNITS };
}

export function readSeal(wire: Uint8Array): Seal | null {
  const { message } = VersionedTransaction.deserialize(wire);
  const keys = message.staticAccountKeys;
  const work = message.compiledInstructions.filter(
    ({ programIdIndex }) => !keys[programIdIndex]?.equals(ComputeBudgetProgram.programId),
  );
  const [seal, ...others] = work.slice(STEP_INSTRUCTIONS);
  if (!seal || others.length > 0 || !keys[seal.programIdIndex]?.equals(SystemProgram.programId)) return null;
  const accounts = seal.accountKeyIndexes.flatMap((index) => keys[index] ?? []);
  const [from, to, root, about] = accounts;
  if (accounts.length !== 4 || !from || !to || !root || !about || !from.equals(to)) return null;
  return movesNothing(seal.data, [from, to]) ? { root: root.toBytes(), about } : null;
}

function movesNothing(data: Uint8Array, accounts: readonly PublicKey[]): boolean {
  const keys = accounts.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true }));
  const instruction = new TransactionInstruction({ programId: SystemProgram.programId, keys, data: Buffer.from(data) });
  const isTransfer = SystemInstruction.decodeInstructionType(instruction) === 'Transfer';
  return isTransfer && SystemInstruction.decodeTransfer(instruction).lamports === 0n;
}
