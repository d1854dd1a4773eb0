import type { SignatureStatus } from '../../chain/rpc/statuses.ts';
import {
  failed,
  finalized,
  landed,
  type Mark,
  markAll,
  says,
  unlanded,
} from '../../db/money/chain-transaction-marks.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import type { MoneyDeps } from './deps.ts';
import { provenAbsent } from './proven-absent.ts';

type BookDeps = Pick<MoneyDeps, 'db' | 'rpc' | 'logger'>;

/**
 * Factor by which landed transactions are polled less often: finality takes 13 s, nothing waits for it, forks are
 * rare.
 */
export const FOLLOWED_LESS = 20;

export function hasLanded(row: ChainTransaction): boolean {
  return row.status === 'landed' || row.status === 'finalized';
}

/** Returns whether the ledger changed: the caller must read the rows again. */
export async function bookStatuses(deps: BookDeps, rows: readonly ChainTransaction[]): Promise<boolean> {
  const open = rows.filter(({ status }) => status !== 'finalized');
  if (open.length === 0) return false;
  return book(deps, open, await deps.rpc.signatureStatuses(open.map(({ signature }) => signature)));
}

/**
 * Books statuses of recent blocks only, for polling; shares a request of this process, sent within `withinMs`. A
 * transaction that was in a block and is not visible may only be too old: a full search follows.
 */
export async function bookRecent(
  deps: BookDeps,
  rows: readonly ChainTransaction[],
  withinMs: number,
): Promise<boolean> {
  const open = rows.filter(({ status }) => status !== 'finalized');
  const statuses = await deps.rpc.recentStatuses(
    open.map(({ signature }) => signature),
    withinMs,
  );
  const isGone = (row: ChainTransaction, index: number) => wasInABlock(row) && !isInABlock(statuses[index] ?? null);
  return open.some(isGone) ? bookStatuses(deps, rows) : book(deps, open, statuses);
}

async function book(
  deps: BookDeps,
  rows: readonly ChainTransaction[],
  statuses: readonly (SignatureStatus | null)[],
): Promise<boolean> {
  const { db, logger } = deps;
  const marks = rows.map((row, index) => ({ row, mark: markOf(row, statuses[index] ?? null) }));
  const gone = await goneOf(deps, marks);
  const news = marks.flatMap(({ row, mark }) => {
    if (mark === null) return gone.has(row.signature) ? [{ row, mark: unlanded(row.signature) }] : [];
    return says(row, mark) ? [] : [{ row, mark }];
  });
  for (const { row, mark } of news) {
    const { purpose, signature } = row;
    if (mark.status === 'broadcasting')
      logger.warn({ purpose, signature, slot: Number(row.slot) }, 'landed transaction is gone');
    if (mark.status === 'failed')
      logger.warn({ purpose, signature, err: mark.error, slot: Number(mark.slot) }, 'transaction failed on the chain');
  }
  await markAll(
    db,
    news.map(({ mark }) => mark),
  );
  return news.length > 0;
}

/** A fork reverted them; their bytes are sent again. Without a quorum's proof the rows stay. */
async function goneOf(
  deps: BookDeps,
  marks: readonly { readonly row: ChainTransaction; readonly mark: Mark | null }[],
): Promise<ReadonlySet<string>> {
  const unseen = marks.flatMap(({ row, mark }) => (mark === null && wasInABlock(row) ? [row] : []));
  if (unseen.length === 0) return new Set();
  const signatures = unseen.map(({ signature }) => signature);
  const sinceSlot = Math.min(...unseen.map(({ blockhashSlot }) => Number(blockhashSlot)));
  const asOfSlot = Math.max(...unseen.map(({ slot, blockhashSlot }) => Number(slot ?? blockhashSlot)));
  return new Set(await provenAbsent(deps, signatures, { sinceSlot, asOfSlot }));
}

/** Null if a quorum sees it in no block. */
function markOf({ signature }: ChainTransaction, status: SignatureStatus | null): Mark | null {
  if (!isInABlock(status)) return null;
  const [slot, isFinal] = [BigInt(status.slot), status.commitment === 'finalized'];
  if (status.err !== null) return failed(signature, { error: JSON.stringify(status.err), slot, finalized: isFinal });
  return isFinal ? finalized(signature, slot) : landed(signature, slot);
}

function isInABlock(status: SignatureStatus | null): status is SignatureStatus {
  return status !== null && status.commitment !== 'processed';
}

/** Failures too: on another fork it may succeed. */
function wasInABlock(row: ChainTransaction): boolean {
  return hasLanded(row) || row.status === 'failed';
}
