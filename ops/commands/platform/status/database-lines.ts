import * as airdrops from '../../../../db/airdrop/airdrops.ts';
import * as claims from '../../../../db/claim/claims.ts';
import type { Db } from '../../../../db/connect.ts';
import * as launchAddresses from '../../../../db/launch/launch-addresses.ts';
import * as launches from '../../../../db/launch/launches.ts';
import * as findings from '../../../../db/money/findings.ts';
import { refusedWrites } from '../../../../db/platform/refused-writes.ts';
import { waitingCommits } from '../../../../db/platform/waiting-commits.ts';
import { FINDING_KINDS, FINDING_MEANING, type FindingKind } from '../../../../domain/money/finding.ts';
import { duration } from '../../../output.ts';
import { opsCommand, type StatusLine, WORKER_REMEDY } from './line.ts';
import { refusedWritesLines } from './refused-writes.ts';
import { standbyLines } from './standby-lines.ts';

/** Fewest free addresses; below it no worker refills, since it keeps 200. */
const LEAST_ADDRESSES = 50;

/** Rows per kind; each line's command shows more. */
const LIMIT = 20;

export async function databaseLines(db: Db, now: Date): Promise<StatusLine[]> {
  const found = await Promise.all([
    parkedLaunches(db, now),
    lateLaunches(db, now),
    dyingClaims(db, now),
    lateClaims(db, now),
    differences(db, now),
    failingAirdrops(db),
    freeAddresses(db),
    refusedWrites(db).then(refusedWritesLines),
    waitingCommits(db).then(standbyLines),
  ]);
  return found.flat();
}

const ago = (now: Date, then: Date) => duration(now.getTime() - then.getTime());

async function parkedLaunches(db: Db, now: Date): Promise<StatusLine[]> {
  const parked = await launches.parked(db, null, LIMIT);
  return parked.map(({ quoteId, updatedAt, blockedReason }) => ({
    subject: 'launch',
    is: 'waiting',
    what: `${quoteId} needs a decision since ${ago(now, updatedAt)}: ${blockedReason ?? 'it was not said why'}`,
    remedy: opsCommand(`launches show ${quoteId}`),
  }));
}

/** Working ones change every few seconds. */
const [LAUNCH_QUIET_MS, CLAIM_QUIET_MS] = [300_000, 120_000];

async function lateLaunches(db: Db, now: Date): Promise<StatusLine[]> {
  const stuck = await launches.stuck(db, new Date(now.getTime() - LAUNCH_QUIET_MS), LIMIT);
  return stuck
    .filter(({ state }) => state !== 'needs_recovery')
    .map(({ quoteId, state, updatedAt }) => ({
      subject: 'launch',
      is: 'late',
      what: `${quoteId} is ${state}, and nothing was done about it since ${ago(now, updatedAt)}`,
      remedy: opsCommand(`launches show ${quoteId}`),
    }));
}

async function lateClaims(db: Db, now: Date): Promise<StatusLine[]> {
  const untended = await claims.idle(db, CLAIM_QUIET_MS, null, LIMIT);
  return untended
    .filter(({ state }) => state !== 'killing')
    .map(({ intentId, state, updatedAt }) => ({
      subject: 'claim',
      is: 'late',
      what: `${intentId} is ${state}, and nothing was done about it since ${ago(now, updatedAt)}`,
      remedy: opsCommand(`claims show ${intentId}`),
    }));
}

async function dyingClaims(db: Db, now: Date): Promise<StatusLine[]> {
  const killing = await claims.newest(db, { states: ['killing'] }, LIMIT);
  return killing.map(({ intentId, updatedAt }) => ({
    subject: 'claim',
    is: 'waiting',
    what: `${intentId} did not land and is being killed since ${ago(now, updatedAt)}`,
    remedy: opsCommand(`claims show ${intentId}`),
  }));
}

/** The command of a finding that needs another one than the list of all. */
const FINDING_COMMAND: Readonly<Partial<Record<FindingKind, string>>> = {
  'launch-unknown': 'launches adopt --note "restored a backup"',
};

async function differences(db: Db, now: Date): Promise<StatusLine[]> {
  const standing = await findings.all(db);
  const urgent = standing.toSorted((a, b) => FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind));
  return urgent.slice(0, LIMIT).map(({ kind, subject, firstSeenAt }) => ({
    subject: 'books',
    is: 'late',
    what: `${kind} ${subject} since ${ago(now, firstSeenAt)}: ${FINDING_MEANING[kind]}`,
    remedy: opsCommand(FINDING_COMMAND[kind] ?? 'books show'),
  }));
}

async function failingAirdrops(db: Db): Promise<StatusLine[]> {
  const failing = await airdrops.failing(db, LIMIT);
  return failing.map(({ quoteId, problem }) => ({
    subject: 'airdrop',
    is: 'late',
    what: `${quoteId} is not delivered: ${problem}`,
    remedy: opsCommand(`airdrops show ${quoteId}`),
  }));
}

async function freeAddresses(db: Db): Promise<StatusLine[]> {
  const free = await launchAddresses.countAllFree(db);
  if (free >= LEAST_ADDRESSES) return [];
  const what = `${free} free launch addresses are left of 200: no worker fills them up`;
  return [{ subject: 'addresses', is: 'low', what, remedy: WORKER_REMEDY }];
}
