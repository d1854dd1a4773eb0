import { EXPIRY_MARGIN_BLOCKS } from '../../../chain/rpc/witness.ts';
import * as endedTransactions from '../../../db/money/ended-transactions.ts';
import * as holdings from '../../../db/money/holdings.ts';
import type { Finding } from '../../../domain/money/finding.ts';
import type { ReconcileDeps } from './deps.ts';

/** Blocks after its end at which whoever follows a transaction has ended it in the ledger, by far. */
const OVERDUE_BLOCKS = EXPIRY_MARGIN_BLOCKS + 150;

/** Transactions whose time is over and that nobody has ended. */
export async function findNeverEnded({ db, rpc }: ReconcileDeps): Promise<Finding[]> {
  const { blockHeight } = await rpc.agreedHead('finalized');
  const rows = await endedTransactions.overdue(db, blockHeight - OVERDUE_BLOCKS);
  return rows.map(({ purpose, signature, status }) => ({
    kind: 'never-ended',
    subject: `transaction/${signature}`,
    books: `${purpose} is ${status}`,
    chain: 'its blockhash is over',
  }));
}

/** Bundles and claims are looked at for so long after their end, in seconds; a movement's lane is looked at for ever. */
const LOOK_BACK_SECONDS = 3_600;

/** Verdicts of the last hour that the chain does not bear out. */
export async function compareVerdicts({ db, rpc }: ReconcileDeps): Promise<Finding[]> {
  const rows = await endedTransactions.endedWithin(db, LOOK_BACK_SECONDS);
  if (rows.length === 0) return [];
  const statuses = await rpc.signatureStatuses(rows.map(({ signature }) => signature));
  return rows.flatMap(({ purpose, signature, status }, index): Finding[] => {
    const seen = statuses[index] ?? null;
    const has = seen?.commitment === 'finalized' && seen.err === null;
    const [subject, books] = [`transaction/${signature}`, `${purpose} is ${status}`];
    if (status === 'finalized' && seen === null) return [{ kind: 'final-missing', subject, books, chain: 'absent' }];
    if (status !== 'dead' || !has) return [];
    return [{ kind: 'dead-landed', subject, books, chain: `finalized at slot ${seen.slot}` }];
  });
}

/** What a process books within moments of the end of its movement is late after this, in seconds. */
const LATE_SECONDS = 600;

/** Movements that are final, and that the process they belong to does not know of. */
export async function findUnbooked({ db }: ReconcileDeps): Promise<Finding[]> {
  const late = await holdings.unbooked(db, LATE_SECONDS);
  return late.map(({ purpose, signature }) => ({
    kind: 'unbooked',
    subject: `movement/${purpose}`,
    books: 'open',
    chain: `final as ${signature}`,
  }));
}
