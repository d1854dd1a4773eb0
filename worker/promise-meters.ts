import type { Metric } from 'prom-client';
import { newestMetadata } from '../db/launch/launch-counts.ts';
import { promiseCounts } from '../db/platform/promise-counts.ts';
import { PROMISES_METRIC } from '../domain/alarms/condition.ts';
import { type PromiseCounts, readingsOf } from '../domain/alarms/promises.ts';
import { PROMISES_HELP } from '../observe/promises-help.ts';
import { createReadGauge } from '../observe/read-gauge.ts';
import { seldom } from './seldom.ts';
import type { Shared } from './shared.ts';

/** A store is asked for a few files once a minute. */
const LOOKS = { everyMs: 60_000, patienceMs: 3_000 } as const;
const NEWEST = 3;

type Parts = Pick<Shared, 'db' | 'store' | 'now' | 'logger'>;

export function createPromiseMeters(parts: Parts): readonly Metric[] {
  const { db, now, logger } = parts;
  const files = seldom(LOOKS, () => countFiles(parts));
  const counted = createReadGauge(logger, {
    name: PROMISES_METRIC,
    help: PROMISES_HELP,
    labelNames: ['class', 'outcome'],
    read: async () => {
      const [ofDatabase, ofStore] = await Promise.all([promiseCounts(db, now()), files().catch(() => null)]);
      return readingsOf([...ofDatabase, ...(ofStore === null ? [] : [['file', ofStore] as const])]);
    },
  });
  return [counted];
}

/** Looks whether the store still has what it took for the newest launches. Rejects where it does not answer. */
async function countFiles({ db, store }: Parts): Promise<PromiseCounts> {
  const uris = await newestMetadata(db, NEWEST);
  const found = await Promise.all(uris.map((uri) => store.has(uri)));
  const kept = found.filter(Boolean).length;
  return { asked: uris.length, kept, refused: 0, unknown: uris.length - kept };
}
