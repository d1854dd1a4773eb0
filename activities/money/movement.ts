import type { PublicKey } from '@solana/web3.js';
import type { LandedTransaction } from '../../chain/rpc/transactions.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { MoneyDeps } from './deps.ts';

/** A finalized movement as the chain has it. */
export interface FinalizedMovement extends LandedTransaction {
  /** Block time; the present where the endpoint has none. */
  readonly at: Date;
}

/** How often a quorum is asked for a movement that is final already, and the pause between, in ms: its record may be a moment late. */
const LOOKS = 5;
const PAUSE_MS = 400;

/** Reads a finalized movement as a quorum of endpoints has it. Throws while none has, or when it failed. */
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

/** What a token account gained by a transaction, raw units; negative where it lost. */
export function gainOf({ tokenChanges }: LandedTransaction, account: PublicKey): bigint {
  return tokenChanges.find((change) => change.account === account.toBase58())?.change ?? 0n;
}
