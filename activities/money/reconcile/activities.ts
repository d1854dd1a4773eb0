import * as findings from '../../../db/money/findings.ts';
import type { Finding } from '../../../domain/money/finding.ts';
import { whileAlive } from '../heartbeat-while.ts';
import { compareBalances } from './balances.ts';
import type { ReconcileDeps } from './deps.ts';
import { compareLanes, findUnexplained } from './lanes.ts';
import { compareVerdicts, findNeverEnded, findUnbooked } from './transactions.ts';

export type ReconcileActivities = ReturnType<typeof createReconcileActivities>;

/** The comparison of the books with the chain. */
export function createReconcileActivities(deps: ReconcileDeps) {
  return {
    /** Compares once, keeps what differs and logs each difference; answers how many there are. */
    compareBooks: (): Promise<number> => whileAlive(deps, compareBooks(deps)),
  };
}

/** What is on its way is booked within this time after it is final, in ms: what still differs then is no matter of moments. */
const LOOK_AGAIN_MS = 5_000;

async function compareBooks(deps: ReconcileDeps): Promise<number> {
  const first = await look(deps);
  const standing = first.length === 0 ? [] : await confirmed(deps, first);
  const fresh = await findings.replace(deps.db, standing);
  for (const { kind, subject, books, chain } of standing) {
    deps.logger.error(
      { kind, subject, books, chain, isNew: fresh.some((one) => isSame(one, { kind, subject })) },
      'books and chain differ',
    );
  }
  return standing.length;
}

async function look(deps: ReconcileDeps): Promise<Finding[]> {
  const checks = [compareLanes, findUnexplained, findNeverEnded, compareVerdicts, findUnbooked, compareBalances];
  const found: Finding[] = [];
  for (const check of checks) found.push(...(await check(deps)));
  return [...Map.groupBy(found, ({ kind, subject }) => `${kind} ${subject}`).values()].map(merged);
}

/** Of one subject the same can differ in two places: a pot lacks the coin and its quote token. */
function merged(same: readonly Finding[]): Finding {
  return same.reduce((all, { books, chain }) => ({
    ...all,
    books: `${all.books}; ${books}`,
    chain: `${all.chain}; ${chain}`,
  }));
}

/** Those of the differences that are there in the same way a moment later. */
async function confirmed(deps: ReconcileDeps, first: readonly Finding[]): Promise<Finding[]> {
  await deps.sleep(LOOK_AGAIN_MS);
  const again = await look(deps);
  return again.filter((finding) =>
    first.some((one) => isSame(one, finding) && one.books === finding.books && one.chain === finding.chain),
  );
}

function isSame(a: Pick<Finding, 'kind' | 'subject'>, b: Pick<Finding, 'kind' | 'subject'>): boolean {
  return a.kind === b.kind && a.subject === b.subject;
}
