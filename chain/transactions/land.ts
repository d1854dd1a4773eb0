import { setTimeout as pause } from 'node:timers/promises';
import type { TransactionInstruction } from '@solana/web3.js';
import type { Rpc } from '../rpc/rpc.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { compileTransaction, type SignedTransaction, signTransaction } from './compile.ts';

/** What landing one transaction needs: a chain, and the key that signs and pays. */
export interface Lander {
  readonly rpc: Pick<Rpc, 'agreedBlockhash' | 'sendWire' | 'signatureStatuses' | 'agreedHead'>;
  readonly payer: TransactionSigner;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
  /** How often the outcome is asked for, ms. */
  readonly pollMs: number;
  /** Resolves after so many ms, or rejects where nobody waits any more; default: a timer. */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** A transaction did not take effect, and why. */
export class NotLandedError extends Error {
  constructor(signature: string, problem: string) {
    super(`transaction ${signature} ${problem}`);
    this.name = 'NotLandedError';
  }
}

/** Bytes are handed out again so often, in polls: a leader may have dropped them. */
const RESEND_EVERY = 5;

/** Longest wait for one transaction, ms of pauses alone: twice what a blockhash is good for, for a chain that does not go on. */
const MOST_MS = 120_000;

/**
 * Signs, sends and follows one transaction until it is confirmed; answers its signature. Only for work that may be done again
 * without harm, because nothing is written down: money goes through the ledger. What it stands on and how long it is waited for is
 * a quorum's word. Throws a NotLandedError when it failed, or when its blockhash ran out before it was seen.
 */
export async function land(
  lander: Lander,
  instructions: readonly TransactionInstruction[],
  computeUnits: number,
): Promise<string> {
  const { blockhash, lastValidBlockHeight } = await lander.rpc.agreedBlockhash();
  const { payer, computeUnitPrice } = lander;
  const plan = { payer: payer.publicKey, instructions, computeUnits, computeUnitPrice, blockhash };
  const signed = await signTransaction(compileTransaction(plan), [payer]);
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
