import type { PublicKey } from '@solana/web3.js';
import type { LandedTransaction } from '../../chain/rpc/transactions.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import type { MoneyDeps } from './deps.ts';

/** A finalized movement as the chain has it. */
export interface FinalizedMovement extends LandedTransaction {
  /** Block time; the present where the endpoint has none. */
  readonly at: Date;
}

/** Reads a finalized movement. Throws while no endpoint has it, or when it failed. */
export async function finalizedMovement(
  { rpc, now }: Pick<MoneyDeps, 'rpc' | 'now'>,
  { purpose, signature }: ChainTransaction,
): Promise<FinalizedMovement> {
  const landed = await rpc.getTransaction(signature, 'finalized');
  if (!landed) throw new Error(`no RPC endpoint has the finalized ${purpose} ${signature} yet`);
  if (landed.err !== null) throw new Error(`${purpose} ${signature} is booked as final, but failed`);
  return { ...landed, at: landed.blockTime === null ? now() : new Date(landed.blockTime * 1_000) };
}

/** What a token account gained by a transaction, raw units; negative where it lost. */
export function gainOf({ tokenChanges }: LandedTransaction, account: PublicKey): bigint {
  return tokenChanges.find((change) => change.account === account.toBase58())?.change ?? 0n;
}
