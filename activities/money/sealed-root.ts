import { readSeal } from '../../chain/transactions/seal.ts';
import { carriesSignature } from '../../chain/transactions/verify.ts';
import type { Db } from '../../db/connect.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import type { MoneyDeps } from './deps.ts';
import type { Moved } from './move-once.ts';
import { finalizedMovement } from './movement.ts';

/**
 * The root that a final seal names, hex; null if it is no seal. After a restore `moveOnce` finds the seal that the
 * chain holds, which may name another root than the caller's.
 */
export async function sealedRootOf(
  deps: Pick<MoneyDeps, 'db' | 'rpc' | 'now' | 'sleep'>,
  moved: Moved,
): Promise<string | null> {
  return rootIn((await provenBytes(deps.db, moved.signature)) ?? (await finalizedMovement(deps, moved)).wire);
}

/** Null if it is no seal. */
export function rootIn(wire: Uint8Array): string | null {
  const seal = readSeal(wire);
  return seal && Buffer.from(seal.root).toString('hex');
}

/**
 * The ledger's bytes where the signature proves them. Null for those of a step that was found on the chain if the
 * endpoint that told them lied: then a quorum is asked.
 */
async function provenBytes(db: Db, signature: string): Promise<Uint8Array | null> {
  const wire = (await chainTransactions.bySignature(db, signature))?.wire;
  return wire && carriesSignature(wire, signature) ? wire : null;
}
