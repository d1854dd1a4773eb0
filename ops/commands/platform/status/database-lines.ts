import { type AlarmName, ALARMS } from '../../../../domain/alarms/alarms.ts';
import { PROMISES } from '../../../../domain/alarms/promises.ts';
import * as airdrops from '../../../../db/airdrop/airdrops.ts';
import * as claims from '../../../../db/claim/claims.ts';
import type { Db } from '../../../../db/connect.ts';
import * as launchAddresses from '../../../../db/launch/launch-addresses.ts';
import * as launches from '../../../../db/launch/launches.ts';
import * as findings from '../../../../db/money/findings.ts';
import { oldestWriter } from '../../../../db/platform/oldest-writer.ts';
import { waitingCommits } from '../../../../db/platform/waiting-commits.ts';
import { FINDING_KINDS, FINDING_MEANING, type FindingKind } from '../../../../domain/money/finding.ts';
import { duration } from '../../../output.ts';
import { opsCommand, type StatusLine, WORKER_REMEDY } from './line.ts';
import { openTransactionLines } from './open-transactions.ts';
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
    refusedWritesLines(db),
    oldestWriter(db).then(openTransactionLines),
    waitingCommits(db).then(standbyLines),
  ]);
  return found.flat();
}

const ago = (now: Date, then: Date) => duration(now.getTime() - then.getTime());

async function parkedLaunches(db: Db, now: Date): Promise<StatusLine[]> {
  const parked = await launches.parked(db, null, LIMIT);
  return parked.map(({ quoteId, updatedAt, blockedReason }) => ({
    alert: 'SlipwayLaunchWaits',
    subject: 'launch',
    is: 'waiting',
    what: `${quoteId} needs a decision since ${ago(now, updatedAt)}: ${blockedReason ?? 'it was not said why'}`,
    remedy: opsCommand(`launches show ${quoteId}`),
  }));
}

const overdueSince = (now: Date, name: 'launch' | 'claim') =>
  new Date(now.getTime() - PROMISES[name].patienceSeconds * 1_000);

async function lateLaunches(db: Db, now: Date): Promise<StatusLine[]> {
  const stuck = await launches.stuck(db, overdueSince(now, 'launch'), LIMIT);
  return stuck
    .filter(({ state }) => state !== 'needs_recovery')
    .map(({ quoteId, state, submittedAt }) => ({
      alert: 'SlipwayLaunchesOverdue',
      subject: 'launch',
      is: 'late',
      what: `${quoteId} is ${state}, ${ago(now, submittedAt)} after its submission`,
      remedy: opsCommand(`launches show ${quoteId}`),
    }));
}

async function lateClaims(db: Db, now: Date): Promise<StatusLine[]> {
  const overdue = await claims.overdue(db, overdueSince(now, 'claim'), LIMIT);
  return overdue.map(({ intentId, state, submittedAt }) => ({
    alert: 'SlipwayClaimsOverdue',
    subject: 'claim',
    is: 'late',
    what: `${intentId} is ${state}, ${ago(now, submittedAt ?? now)} after its submission`,
    remedy: opsCommand(`claims show ${intentId}`),
  }));
}

async function dyingClaims(db: Db, now: Date): Promise<StatusLine[]> {
  const killing = await claims.newest(db, { states: ['killing'] }, LIMIT);
  return killing.map(({ intentId, updatedAt }) => ({
    alert: 'SlipwayClaimsOverdue',
    subject: 'claim',
    is: 'waiting',
    what: `${intentId} did not land and is being killed since ${ago(now, updatedAt)}`,
    remedy: opsCommand(`claims show ${intentId}`),
  }));
}

/** The alarm of each kind of finding; every other kind has `SlipwayBooksDiffer`. */
const ALARM_OF: Readonly<Partial<Record<FindingKind, AlarmName>>> = {
  'launch-unknown': 'SlipwayLaunchUnknown',
  'lane-ahead': 'SlipwayLedgerForgot',
  'lane-below': 'SlipwayLanesInDoubt',
  'lane-undecided': 'SlipwayLanesInDoubt',
  'account-frozen': 'SlipwayAccountUnusable',
  'account-altered': 'SlipwayAccountUnusable',
};

async function differences(db: Db, now: Date): Promise<StatusLine[]> {
  const standing = await findings.all(db);
  const urgent = standing.toSorted((a, b) => FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind));
  return urgent.slice(0, LIMIT).map(({ kind, subject, firstSeenAt }) => ({
    alert: ALARM_OF[kind] ?? 'SlipwayBooksDiffer',
    subject: 'books',
    is: 'late',
    what: `${kind} ${subject} since ${ago(now, firstSeenAt)}: ${FINDING_MEANING[kind]}`,
    remedy: ALARMS[ALARM_OF[kind] ?? 'SlipwayBooksDiffer'].command,
  }));
}

async function failingAirdrops(db: Db): Promise<StatusLine[]> {
  const failing = await airdrops.failing(db, LIMIT);
  return failing.map(({ quoteId, problem }) => ({
    alert: 'SlipwayAirdropsOverdue',
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
  return [{ alert: 'SlipwayAddressesLow', subject: 'addresses', is: 'low', what, remedy: WORKER_REMEDY }];
}
