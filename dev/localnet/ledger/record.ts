import type { InnerInstruction } from '../engine/engine.ts';
import type { TransactionError } from '../engine/transaction-error.ts';
import type { Address } from './account.ts';
import type { LoadedAddresses } from './message-keys.ts';
import { memoOf } from './memo.ts';
import type { Run } from './sandbox.ts';
import type { TokenBalance } from './token-balance.ts';

export interface TransactionRecord {
  readonly signature: string;
  readonly slot: number;
  readonly index: number;
  /** Unix seconds. */
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
  readonly memo: string | null;
}

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
