import { UnknownError } from '../../../chain/rpc/absence.ts';
import type { Rpc } from '../../../chain/rpc/rpc.ts';
import type { SignatureStatus } from '../../../chain/rpc/statuses.ts';
import { EXPIRY_MARGIN_BLOCKS } from '../../../chain/rpc/witness.ts';
import * as endedTransactions from '../../../db/money/ended-transactions.ts';
import type { EndedTransaction } from '../../../db/money/ended-transactions.ts';
import * as holdings from '../../../db/money/holdings.ts';
import type { Finding } from '../../../domain/money/finding.ts';
import type { ReconcileDeps } from './deps.ts';

/** Blocks after expiry by which the follower has ended a transaction. */
const OVERDUE_BLOCKS = EXPIRY_MARGIN_BLOCKS + 150;

export async function findNeverEnded({ db, rpc }: Pick<ReconcileDeps, 'db' | 'rpc'>): Promise<Finding[]> {
  const { blockHeight } = await rpc.agreedHead('finalized');
  const rows = await endedTransactions.overdue(db, blockHeight - OVERDUE_BLOCKS);
  return rows.map(({ purpose, signature, status }) => ({
    kind: 'never-ended',
    subject: `transaction/${signature}`,
    books: `${purpose} is ${status}`,
    chain: 'its blockhash is over',
  }));
}

/** Age up to which ended bundles and claims are checked, seconds; lanes cover movements for ever. */
const LOOK_BACK_SECONDS = 3_600;

export async function compareVerdicts({ db, rpc }: ReconcileDeps): Promise<Finding[]> {
  const rows = await endedTransactions.endedWithin(db, LOOK_BACK_SECONDS);
  if (rows.length === 0) return [];
  const statuses = await rpc.signatureStatuses(rows.map(({ signature }) => signature));
  const seen = rows.map((row, index) => ({ row, status: statuses[index] ?? null }));
  const unseen = seen.filter(({ row, status }) => row.status === 'finalized' && status === null);
  const landed = seen.filter(({ row, status }) => row.status === 'dead' && hasTakenEffect(status));
  return [
    ...landed.map(landedAfterAll),
    ...(await missing(
      rpc,
      unseen.map(({ row }) => row),
    )),
  ];
}

interface Seen {
  readonly row: EndedTransaction;
  readonly status: SignatureStatus | null;
}

function hasTakenEffect(status: SignatureStatus | null): boolean {
  return status?.commitment === 'finalized' && status.err === null;
}

function landedAfterAll({ row: { purpose, signature }, status }: Seen): Finding {
  const [subject, books] = [`transaction/${signature}`, `${purpose} is dead`];
  return { kind: 'dead-landed', subject, books, chain: `finalized at slot ${status?.slot}` };
}

async function missing(rpc: Rpc, rows: readonly EndedTransaction[]): Promise<Finding[]> {
  if (rows.length === 0) return [];
  const signatures = rows.map(({ signature }) => signature);
  const sinceSlot = Math.min(...rows.map(({ blockhashSlot }) => Number(blockhashSlot)));
  // An endpoint behind a transaction's slot does not miss it.
  const asOfSlot = Math.max(...rows.map(({ slot, blockhashSlot }) => Number(slot ?? blockhashSlot)));
  const presence = await unlessUnknown(() => rpc.presenceSince(signatures, { sinceSlot, asOfSlot }));
  return rows.flatMap(({ purpose, signature, status }): Finding[] => {
    const [subject, books] = [`transaction/${signature}`, `${purpose} is ${status}`];
    if (presence === null) return [{ kind: 'unread', subject, books, chain: 'no quorum' }];
    if (presence.get(signature) === 'seen') return [];
    return [{ kind: 'final-missing', subject, books, chain: 'absent' }];
  });
}

async function unlessUnknown<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UnknownError) return null;
    throw error;
  }
}

/** Seconds after which an unbooked movement is late: a process books within moments. */
const LATE_SECONDS = 600;

export async function findUnbooked({ db }: ReconcileDeps): Promise<Finding[]> {
  const late = await holdings.unbooked(db, LATE_SECONDS);
  return late.map(({ purpose, signature }) => ({
    kind: 'unbooked',
    subject: `movement/${purpose}`,
    books: 'open',
    chain: `final as ${signature}`,
  }));
}
