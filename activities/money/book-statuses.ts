import type { SignatureStatus } from '../../chain/rpc/statuses.ts';
import { markFailed, markFinalized, markLanded, markUnlanded } from '../../db/money/chain-transaction-marks.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import type { MoneyDeps } from './deps.ts';

type BookDeps = Pick<MoneyDeps, 'db' | 'rpc' | 'logger'>;

/** True for a transaction that is in a block without an error, as far as the ledger knows. */
export function hasLanded(row: ChainTransaction): boolean {
  return row.status === 'landed' || row.status === 'finalized';
}

/** Looks at the chain for every given transaction and books what it says. Answers whether the ledger changed. */
export async function bookStatuses(deps: BookDeps, rows: readonly ChainTransaction[]): Promise<boolean> {
  const statuses = await deps.rpc.signatureStatuses(rows.map((row) => row.signature));
  const changes = rows.map((row, index) => book(deps, row, statuses[index] ?? null));
  return (await Promise.all(changes)).some(Boolean);
}

/** Books one status; answers whether the ledger changed. */
async function book(deps: BookDeps, row: ChainTransaction, status: SignatureStatus | null): Promise<boolean> {
  if (row.status === 'finalized') return false;
  if (status === null || status.commitment === 'processed') return wasInABlock(row) && unland(deps, row);
  if (status.err !== null) return fail(deps, row, status);
  return land(deps, row, status);
}

/** A failure too: on the fork that took it back it may succeed. */
function wasInABlock(row: ChainTransaction): boolean {
  return hasLanded(row) || row.status === 'failed';
}

async function land(deps: BookDeps, row: ChainTransaction, { slot, commitment }: SignatureStatus): Promise<boolean> {
  const mark = commitment === 'finalized' ? markFinalized : markLanded;
  return (await mark(deps.db, row.signature, BigInt(slot))).outcome === 'moved';
}

/** It was confirmed and is not any more: a fork, or a node that lags. Either way the same bytes are sent again. */
async function unland(deps: BookDeps, row: ChainTransaction): Promise<boolean> {
  const { purpose, signature, slot } = row;
  deps.logger.warn({ purpose, signature, slot: Number(slot) }, 'landed transaction is gone');
  return (await markUnlanded(deps.db, signature)).outcome === 'moved';
}

async function fail(deps: BookDeps, row: ChainTransaction, status: SignatureStatus): Promise<boolean> {
  const { purpose, signature } = row;
  deps.logger.warn({ purpose, signature, err: status.err, slot: status.slot }, 'transaction failed on the chain');
  const marked = await markFailed(deps.db, signature, {
    error: JSON.stringify(status.err),
    slot: BigInt(status.slot),
    finalized: status.commitment === 'finalized',
  });
  return marked.outcome === 'moved';
}
