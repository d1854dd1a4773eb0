import type { Subject } from '../../../../domain/alarms/alarm.ts';
import { type AlarmName, ALARMS } from '../../../../domain/alarms/alarms.ts';
import { PROMISES_METRIC } from '../../../../domain/alarms/condition.ts';
import { type Sample, samplesOf } from '../../../../domain/alarms/judge.ts';
import { readingsOf } from '../../../../domain/alarms/promises.ts';
import { type StandingAlarm, standingAlarms } from '../../../../domain/alarms/standing.ts';
import { promiseCounts } from '../../../../db/platform/promise-counts.ts';
import { withDatabaseIfThere } from '../../../database.ts';
import type { OpsIo } from '../../../io.ts';
import { apiMetricsUrls, workerUrls } from '../../../service-addresses.ts';
import type { Findings, StatusLine } from './line.ts';

/** A metrics page waits for its dependencies: as long as Prometheus waits for it. */
const TIMEOUT_MS = 10_000;

/** Evaluates the conditions of all alarms by the figures of every process, and the promises by the database itself. */
export async function pageFindings(io: OpsIo, now: Date): Promise<Findings> {
  const places = [
    { job: 'slipway-worker', urls: workerUrls(io), unset: 'figures of workers (WORKER_URLS)' },
    { job: 'slipway-api', urls: apiMetricsUrls(io), unset: 'figures of APIs (API_METRICS_URLS)' },
  ];
  const pages = places.flatMap(({ job, urls }) => (urls ?? []).map((url) => samplesAt(job, url)));
  const samples = (await Promise.all([...pages, promisesIn(io, now)])).flat();
  return {
    lines: linesOf(samples, now),
    notAsked: places.filter(({ urls }) => urls === null).map(({ unset }) => unset),
  };
}

export function linesOf(samples: readonly Sample[], now: Date): StatusLine[] {
  return standingAlarms(samples, now.getTime() / 1_000).map(lineOf);
}

function lineOf({ alert, labels, what, command: remedy }: StandingAlarm): StatusLine {
  const subject = subjectOf(alert, labels);
  return { alert, subject, is: IS[subject], what, remedy };
}

/** Returns the part that an alarm is about: of a dependency, the one that it names. */
export function subjectOf(alert: AlarmName, labels: Readonly<Record<string, string>>): Subject {
  return SUBJECT_OF_DEPENDENCY[labels['dependency'] ?? ''] ?? ALARMS[alert].subject;
}

const SUBJECT_OF_DEPENDENCY: Readonly<Record<string, Subject>> = {
  database: 'database',
  read_replica: 'database',
  temporal: 'temporal',
  rpc: 'rpc',
  block_engine: 'block engine',
  storage: 'storage',
  stream: 'market',
};

const IS: Readonly<Record<Subject, StatusLine['is']>> = {
  database: 'unreachable',
  rpc: 'unreachable',
  temporal: 'unreachable',
  worker: 'failing',
  api: 'failing',
  'block engine': 'unreachable',
  storage: 'failing',
  disk: 'low',
  clock: 'wrong',
  launch: 'failing',
  addresses: 'low',
  prices: 'late',
  sol: 'low',
  claim: 'failing',
  books: 'late',
  airdrop: 'late',
  round: 'late',
  switches: 'waiting',
  inventory: 'low',
  market: 'late',
  webhook: 'late',
  events: 'late',
  certificate: 'late',
  backup: 'late',
  monitoring: 'failing',
};

/** Leaves out what a direct check says with more detail: the same alarm, or the same part that does not answer. */
export function without(direct: readonly StatusLine[], { lines, notAsked }: Findings): Findings {
  const isKnown = ({ alert, subject, is }: StatusLine) =>
    direct.some((one) => one.alert === alert || (one.subject === subject && is === 'unreachable'));
  return { lines: lines.filter((line) => !isKnown(line)), notAsked };
}

/** Empty where nothing answers: the line about /readyz says so. */
async function samplesAt(job: string, url: string): Promise<Sample[]> {
  const base = url.replace(/\/$/, '');
  try {
    const response = await fetch(`${base}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const samples = samplesOf(await response.text(), base);
    return samples.map((sample) => ({ ...sample, labels: { ...sample.labels, job } }));
  } catch {
    return [];
  }
}

async function promisesIn(io: OpsIo, now: Date): Promise<Sample[]> {
  const counts = await withDatabaseIfThere(io, (db) => promiseCounts(db, now));
  return readingsOf([...(counts ?? [])]).map((reading) => ({ metric: PROMISES_METRIC, ...reading }));
}
