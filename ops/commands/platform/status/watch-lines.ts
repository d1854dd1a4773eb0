import { clockSkew } from '../../../../db/platform/clock-skew.ts';
import type { Db } from '../../../../db/connect.ts';
import type { OpsIo } from '../../../io.ts';
import type { Watched } from '../watch/watched.ts';
import { watchMachine } from '../watch/watch.ts';
import { type Findings, opsCommand, type StatusLine } from './line.ts';

const IS: Readonly<Record<Watched['subject'], StatusLine['is']>> = {
  clock: 'wrong',
  storage: 'unreachable',
  disk: 'low',
  certificate: 'late',
  backup: 'late',
};

export async function watchedFindings(io: OpsIo, now: Date): Promise<Findings> {
  const watched = await watchMachine(io.env, now);
  const notAsked = [
    ...(io.env['SITE_URL'] ? [] : ['certificate of the site (SITE_URL)']),
    ...(io.env['BACKUP_STAMP_FILE'] ? [] : ['base backups (BACKUP_STAMP_FILE)']),
  ];
  return { lines: watched.flatMap(lineOf), notAsked };
}

export function lineOf({ subject, what, remedy }: Watched): StatusLine[] {
  return remedy === null ? [] : [{ subject, is: IS[subject], what, remedy }];
}

/** A quote lives for a minute and a half. */
const MOST_SKEW_MS = 5_000;

export async function databaseClockLines(db: Db): Promise<StatusLine[]> {
  return clockLines('the database', (await clockSkew(db)).ms);
}

export function clockLines(whose: string, skewMs: number): StatusLine[] {
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return [];
  const what = `the clock of ${whose} is ${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`;
  return [{ subject: 'clock', is: 'wrong', what, remedy: `timedatectl; ${opsCommand('doctor')}` }];
}

/** Clocks that only a worker compares, with the differences that SlipwayClocksDiffer allows, in seconds. */
const COMPARED_BY_WORKERS = [
  { whose: 'Temporal', metric: 'slipway_temporal_clock_skew_seconds', most: 10 },
  { whose: 'the chain', metric: 'slipway_chain_clock_skew_seconds', most: 60 },
] as const;

export function workerClockLines(worker: string, page: string): StatusLine[] {
  return COMPARED_BY_WORKERS.flatMap(({ whose, metric, most }): StatusLine[] => {
    const seconds = Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(page)?.[1] ?? 0);
    if (Math.abs(seconds) <= most) return [];
    const what = `the clock of ${whose} is ${Math.round(Math.abs(seconds))} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the worker at ${worker}`;
    return [{ subject: 'clock', is: 'wrong', what, remedy: `timedatectl; ${opsCommand('doctor')}` }];
  });
}
