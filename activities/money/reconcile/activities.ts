import * as findings from '../../../db/money/findings.ts';
import * as uncharged from '../../../db/money/uncharged.ts';
import type { UnchargedPage } from '../../../db/money/uncharged.ts';
import type { Finding } from '../../../domain/money/finding.ts';
import { whileAlive } from '../heartbeat-while.ts';
import { compareBalances } from './balances.ts';
import { ALL_LAUNCHES, type ComparisonDeps } from './deps.ts';
import { compareLanes, findUnexplained } from './lanes.ts';
import { compareVerdicts, findNeverEnded, findUnbooked } from './transactions.ts';

export type ReconcileActivities = ReturnType<typeof createReconcileActivities>;

export function createReconcileActivities(deps: ComparisonDeps) {
  return {
    compareBooks: (): Promise<number> => whileAlive(deps, compareBooks(deps)),
  };
}

/**
 * Pause before a difference is read again, ms: movements in progress are booked within this time, so one that remains
 * is real.
 */
const LOOK_AGAIN_MS = 5_000;

async function compareBooks(deps: ComparisonDeps): Promise<number> {
  const page = await uncharged.nextPage(deps.db);
  const first = await look(deps, page);
  const again = first.length === 0 ? [] : await lookAgain(deps, page);
  const standing = again.filter((finding) => first.some((one) => isUnchanged(one, finding)));
  const fresh = await findings.replace(deps.db, standing);
  if (isDecided(again, standing)) await uncharged.markCompared(deps.db, page);
  for (const { kind, subject, books, chain } of standing) {
    deps.logger.error(
      { kind, subject, books, chain, isNew: fresh.some((one) => isSame(one, { kind, subject })) },
      'books and chain differ',
    );
  }
  return standing.length;
}

async function look(deps: ComparisonDeps, { launches }: UnchargedPage): Promise<Finding[]> {
  const checks = [
    ...deps.checks,
    compareLanes,
    findUnexplained,
    findNeverEnded,
    compareVerdicts,
    findUnbooked,
    compareBalances,
  ];
  const found: Finding[] = [];
  for (const check of checks) found.push(...(await check(deps)));
  found.push(...(await deps.compareUncharged(deps, launches)));
  return [...Map.groupBy(found, ({ kind, subject }) => `${kind} ${subject}`).values()].map(merged);
}

async function lookAgain(deps: ComparisonDeps, page: UnchargedPage): Promise<Finding[]> {
  await deps.sleep(LOOK_AGAIN_MS);
  return look(deps, page);
}

/** True if every launch of the page was read, and each difference stands. Otherwise the page is read again. */
function isDecided(again: readonly Finding[], standing: readonly Finding[]): boolean {
  const ofLaunches = again.filter(({ subject }) => subject.startsWith('launch'));
  return ofLaunches.every((finding) => finding.subject !== ALL_LAUNCHES && standing.includes(finding));
}

/** A pot may lack the coin and its quote token. */
function merged(same: readonly Finding[]): Finding {
  return same.reduce((all, { books, chain }) => ({
    ...all,
    books: `${all.books}; ${books}`,
    chain: `${all.chain}; ${chain}`,
  }));
}

function isUnchanged(a: Finding, b: Finding): boolean {
  return isSame(a, b) && a.books === b.books && a.chain === b.chain;
}

function isSame(a: Pick<Finding, 'kind' | 'subject'>, b: Pick<Finding, 'kind' | 'subject'>): boolean {
  return a.kind === b.kind && a.subject === b.subject;
}
