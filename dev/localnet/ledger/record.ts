import type { InnerInstruction } from '../engine/engine.ts';
import type { TransactionError } from '../engine/transaction-error.ts';
import type { Address } from './account.ts';
import type { LoadedAddresses } from './message-keys.ts';
import { memoOf } from './memo.ts';
import type { Run } from './sandbox.ts';
import type { TokenBalance } from './token-balance.ts';

/** A landed transaction as the history keeps it. Lamports and raw token amounts are bigint. */
export interface TransactionRecord {
  readonly signature: string;
  readonly slot: number;
  /** Place in its block. */
  readonly index: number;
  /** Unix time of its block in seconds. */
  readonly blockTime: number;
  readonly messageHash: string;
  readonly wire: Uint8Array;
  readonly keys: readonly Address[];
  readonly loaded: LoadedAddresses;
  readonly err: TransactionError | null;
  readonly fee: bigint;
  readonly computeUnits: bigint;
  readonly logs: readonly string[];
  readonly inner: readonly (readonly InnerInstruction[])[];
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  /** Memos of the transaction as Agave lists them ("[5] hello; [2] yo"); null without one. */
  readonly memo: string | null;
}

/** The record of a run that landed at a place in a block. */
export function recordOf(run: Run, at: { slot: number; index: number; blockTime: number }): TransactionRecord {
  const { transaction, execution } = run;
  return {
    signature: transaction.id,
    ...at,
    messageHash: transaction.message.hash,
    wire: transaction.wire,
    keys: run.keys,
    loaded: run.loaded,
    err: execution.err,
    fee: run.fee,
    computeUnits: execution.computeUnits,
    logs: execution.logs,
    inner: execution.inner,
    returnData: execution.returnData,
    preBalances: run.before.map((account) => account?.lamports ?? 0n),
    postBalances: run.after.map((account) => account?.lamports ?? 0n),
    preTokenBalances: run.tokensBefore,
    postTokenBalances: run.tokensAfter,
    memo: memoOf(transaction.message),
  };
}
