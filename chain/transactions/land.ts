import { setTimeout as pause } from 'node:timers/promises';
import type { TransactionInstruction } from '@solana/web3.js';
import type { Rpc } from '../rpc/rpc.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction } from './compile.ts';
import { signTransaction } from './sign-transaction.ts';

/** Signs and pays. */
export interface Lander {
  readonly rpc: Pick<Rpc, 'agreedBlockhash' | 'sendWire' | 'signatureStatuses' | 'agreedHead'>;
  readonly payer: TransactionSigner;
  readonly computeUnitPrice: bigint;
  readonly pollMs: number;
  /** Pauses between polls; a rejection ends the landing. Default: a timer. */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

export class NotLandedError extends Error {
  constructor(signature: string, problem: string) {
    super(`transaction ${signature} ${problem}`);
    this.name = 'NotLandedError';
  }
}

/** Polls between resends: a leader may have dropped the bytes. */
const RESEND_EVERY = 5;

/** Longest wait, ms: twice a blockhash's lifetime, in case the chain halts. */
const MOST_MS = 120_000;

/**
 * Lands one transaction and waits until it is confirmed. Persists nothing, so it is only for work that is safe to
 * repeat; movements of money go through the ledger. Blockhash and height are a quorum's. Throws a NotLandedError if the
 * transaction failed, or was not seen before it expired. `others` sign beside the payer.
 */
export async function land(
  lander: Lander,
  instructions: readonly TransactionInstruction[],
  computeUnits: number,
  others: readonly TransactionSigner[] = [],
): Promise<string> {
  const { blockhash, lastValidBlockHeight } = await lander.rpc.agreedBlockhash();
  const { payer, computeUnitPrice } = lander;
  const plan = { payer: payer.publicKey, instructions, computeUnits, computeUnitPrice, blockhash };
  const signed = await signTransaction(compileTransaction(plan), [payer, ...others]);
  await follow(lander, signed, lastValidBlockHeight);
  return signed.signature;
}

async function follow(
  { rpc, pollMs, sleep = pause }: Lander,
  { signature, wire }: SignedTransaction,
  lastValidBlockHeight: number,
): Promise<void> {
  for (let poll = 0; poll * pollMs <= MOST_MS; poll++) {
    if (poll % RESEND_EVERY === 0) await rpc.sendWire(wire);
    const { blockHeight } = await rpc.agreedHead('confirmed');
    const [status] = await rpc.signatureStatuses([signature]);
    if (status?.err) throw new NotLandedError(signature, `failed: ${JSON.stringify(status.err)}`);
    if (status && status.commitment !== 'processed') return;
    if (blockHeight > lastValidBlockHeight) break;
    await sleep(pollMs);
  }
  throw new NotLandedError(signature, 'did not land in time');
}
