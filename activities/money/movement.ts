import type { PublicKey } from '@solana/web3.js';
import type { LandedTransaction } from '../../chain/rpc/transactions.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { MoneyDeps } from './deps.ts';

export interface FinalizedMovement extends LandedTransaction {
  /** Block time, else the current time. */
  readonly at: Date;
}

/** Reads of a movement that is final: a quorum may have its record a moment later. */
const LOOKS = 5;
const PAUSE_MS = 400;

/** Throws if no quorum has it, or if it failed. */
export async function finalizedMovement(
  { rpc, now, sleep }: Pick<MoneyDeps, 'rpc' | 'now' | 'sleep'>,
  { purpose, signature }: { readonly purpose: Purpose; readonly signature: string },
): Promise<FinalizedMovement> {
  for (let look = 1; ; look++) {
    const landed = await rpc.agreedTransaction(signature);
    if (landed?.err === null) {
      return { ...landed, at: landed.blockTime === null ? now() : new Date(landed.blockTime * 1_000) };
    }
    if (landed) throw new Error(`${purpose} ${signature} is booked as final, but failed`);
    if (look === LOOKS) throw new Error(`no quorum of RPC endpoints has the finalized ${purpose} ${signature} yet`);
    await sleep(PAUSE_MS);
  }
}

/** Raw units; negative for a loss. */
export function gainOf({ tokenChanges }: LandedTransaction, account: PublicKey): bigint {
  return tokenChanges.find((change) => change.account === account.toBase58())?.change ?? 0n;
}
