import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
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

type BookDeps = Pick<MoneyDeps, 'db' | 'rpc' | 'logger'>;

/** What has landed is looked at so many times less often than what is landing: finality takes 13 s, nobody waits for it, and forks are few. */
export const FOLLOWED_LESS = 20;

/** True for a transaction that is in a block without an error, as far as the ledger knows. */
export function hasLanded(row: ChainTransaction): boolean {
  return row.status === 'landed' || row.status === 'finalized';
}

/**
 * Looks at the chain for every given transaction, however old, and books what it says. Answers whether that is something else than
 * these rows say: then they are to be read again.
 */
export async function bookStatuses(deps: BookDeps, rows: readonly ChainTransaction[]): Promise<boolean> {
  const open = rows.filter(({ status }) => status !== 'finalized');
  if (open.length === 0) return false;
  return book(deps, open, await deps.rpc.signatureStatuses(open.map(({ signature }) => signature)));
}

/**
 * The same in recent blocks alone, together with whatever else this process has in flight, and at latest so many ms from now: what
 * is asked again and again until something happens. That a transaction is gone which was in a block is not believed without
 * searching for it, as it may only be too old to be seen so.
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

/** Books what differs from the rows, and answers whether anything does. */
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

/**
 * What was in a block and is not any more, by a quorum: a fork, or nodes that lag. Either way the same bytes are sent again. That a
 * quorum does not bear it out is less than that, where an endpoint is away.
 */
async function goneOf(
  { rpc, logger }: BookDeps,
  marks: readonly { readonly row: ChainTransaction; readonly mark: Mark | null }[],
): Promise<ReadonlySet<string>> {
  const unseen = marks.flatMap(({ row, mark }) => (mark === null && wasInABlock(row) ? [row.signature] : []));
  if (unseen.length === 0) return new Set();
  try {
    return await rpc.absentSignatures(unseen);
  } catch (error) {
    if (!(error instanceof RpcUnavailableError)) throw error;
    logger.warn({ err: error, signatures: unseen }, 'it cannot be said whether landed transactions are gone');
    return new Set();
  }
}

/** What a status says of a transaction; null where a quorum sees it in no block. */
function markOf({ signature }: ChainTransaction, status: SignatureStatus | null): Mark | null {
  if (!isInABlock(status)) return null;
  const [slot, isFinal] = [BigInt(status.slot), status.commitment === 'finalized'];
  if (status.err !== null) return failed(signature, { error: JSON.stringify(status.err), slot, finalized: isFinal });
  return isFinal ? finalized(signature, slot) : landed(signature, slot);
}

function isInABlock(status: SignatureStatus | null): status is SignatureStatus {
  return status !== null && status.commitment !== 'processed';
}

/** A failure too: on the fork that took it back it may succeed. */
function wasInABlock(row: ChainTransaction): boolean {
  return hasLanded(row) || row.status === 'failed';
}
