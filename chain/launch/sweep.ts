import { createCloseAccountInstruction } from '@solana/spl-token';
import {
  type Connection,
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { LaunchTerms } from '../../domain/launch-terms.ts';
import { sweepPurpose } from '../../domain/purpose.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { tokenBalance } from '../tokens/token-balance.ts';
import { compileTransaction, type SignedTransaction, signTransaction } from '../transactions/compile.ts';
import { memoInstruction } from '../transactions/memo.ts';
import { tokenAccountOf } from './creator-account.ts';
import { quoteTokenOf } from './pool-request.ts';

const SWEEP_COMPUTE_UNITS = 60_000;

/** A launch wallet to be emptied. */
export interface SweepRequest {
  readonly terms: LaunchTerms;
  readonly keys: LaunchKeys;
  /** Pays the fee and receives the rest. */
  readonly platform: TransactionSigner;
  readonly blockhash: string;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/**
 * Moves what a launch left in its wallet to the platform: the lamports, and the rent of the dev buy's emptied quote
 * account. The platform wallet pays the fee, so that lamports a stranger adds meanwhile break no exact amount; token
 * accounts that hold something stay. Null where the wallet is empty.
 */
export async function buildSweep(connection: Connection, request: SweepRequest): Promise<SignedTransaction | null> {
  const { keys, platform } = request;
  const wallet = keys.wallet.publicKey;
  const lamports = await connection.getBalance(wallet, 'confirmed');
  const closings = await closeQuoteAccount(connection, request);
  if (lamports === 0 && closings.length === 0) return null;
  const transaction = compileTransaction({
    payer: platform.publicKey,
    blockhash: request.blockhash,
    computeUnits: SWEEP_COMPUTE_UNITS,
    computeUnitPrice: request.computeUnitPrice,
    instructions: [
      ...closings,
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: platform.publicKey, lamports }),
      memoInstruction(sweepPurpose(request.terms.quoteId), [wallet]),
    ],
  });
  return signTransaction(transaction, [platform, keys.wallet]);
}

async function closeQuoteAccount(connection: Connection, request: SweepRequest): Promise<TransactionInstruction[]> {
  const quote = quoteTokenOf(request.terms);
  const wallet = request.keys.wallet.publicKey;
  const account = tokenAccountOf(quote, wallet);
  const isEmpty = (await tokenBalance(connection, quote, wallet)) === 0n;
  if (!isEmpty || !(await exists(connection, account))) return [];
  return [createCloseAccountInstruction(account, request.platform.publicKey, wallet, [], quote.tokenProgram)];
}

async function exists(connection: Connection, account: PublicKey): Promise<boolean> {
  return (await connection.getAccountInfo(account, 'confirmed')) !== null;
}
