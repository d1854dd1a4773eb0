import type { SignatureStatus } from '../../chain/rpc/statuses.ts';
import { createChainTransactionRepository } from '../../db/chain-transactions.ts';
import type { LaunchRecord } from '../../db/records.ts';
import type { ChainTransaction } from '../../db/schema.ts';
import { hasLanded, readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';

/** Looks at the chain for every transaction of the bundle, books what it says, and returns the rows as they stand then. */
export async function observeBundle(deps: LaunchDeps, { quoteId }: LaunchRecord): Promise<ChainTransaction[]> {
  const bundle = await readBundle(deps.db, quoteId);
  const statuses = await deps.rpc.signatureStatuses(bundle.map((row) => row.signature));
  const changes = bundle.map((row, index) => book(deps, row, statuses[index] ?? null));
  const changed = (await Promise.all(changes)).some(Boolean);
  return changed ? readBundle(deps.db, quoteId) : bundle;
}

/** Books one status; answers whether the ledger changed. */
async function book(deps: LaunchDeps, row: ChainTransaction, status: SignatureStatus | null): Promise<boolean> {
  if (row.status === 'finalized') return false;
  if (status === null || status.commitment === 'processed') return hasLanded(row) && unland(deps, row);
  if (status.err !== null) return fail(deps, row, status);
  return land(deps, row, status);
}

async function land(deps: LaunchDeps, row: ChainTransaction, { slot, commitment }: SignatureStatus): Promise<boolean> {
  const ledger = createChainTransactionRepository(deps.db);
  const mark = commitment === 'finalized' ? ledger.markFinalized : ledger.markLanded;
  return (await mark(row.signature, BigInt(slot))).outcome === 'moved';
}

/** It was confirmed and is not any more: a fork, or a node that lags. Either way the same bytes are sent again. */
async function unland(deps: LaunchDeps, row: ChainTransaction): Promise<boolean> {
  deps.logger.warn(
    { purpose: row.purpose, signature: row.signature, slot: Number(row.slot) },
    'landed transaction is gone',
  );
  return (await createChainTransactionRepository(deps.db).markUnlanded(row.signature)).outcome === 'moved';
}

async function fail(deps: LaunchDeps, row: ChainTransaction, status: SignatureStatus): Promise<boolean> {
  const { purpose, signature } = row;
  deps.logger.warn({ purpose, signature, err: status.err, slot: status.slot }, 'transaction failed on the chain');
  const marked = await createChainTransactionRepository(deps.db).markFailed(signature, {
    error: JSON.stringify(status.err),
    slot: BigInt(status.slot),
    finalized: status.commitment === 'finalized',
  });
  return marked.outcome === 'moved';
}
