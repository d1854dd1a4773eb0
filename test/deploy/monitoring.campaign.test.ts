import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiMetrics, createApiMeters } from '../../api/metrics/api-meters.ts';
import { alertRules } from '../../dev/docs/alerts.ts';
import { ALARMS } from '../../domain/alarms/alarms.ts';
import { createRegistry } from '../../observe/registry.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { metricsNamedIn, panelQueries, TEMPORAL_FAILURES, TEMPORAL_METRICS } from '../support/deploy/monitoring.ts';
import { onPath } from '../support/on-path.ts';
import { type UnconnectedWorker, unconnectedWorker } from '../support/worker/unconnected.ts';

const PROMETHEUS = join(import.meta.dirname, '../../deploy/prometheus');
const RUNBOOK = ['runbook.md', 'runbook-money.md']
  .map((page) => readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8'))
  .join('\n');

/** Chapters that nothing can go wrong in: they say where to look, and how something is done. */
const WITHOUT_ALERT = ['all-commands', 'rotating-keys'];

const { db } = useDatabase();
let worker: UnconnectedWorker;
let served: Set<string>;

beforeAll(async () => {
  worker = await unconnectedWorker(db());
  served = new Set([...(await apiNames()), ...(await workerNames()), ...TEMPORAL_METRICS, TEMPORAL_FAILURES]);
});
afterAll(() => worker.close());

/** Names of all series that a page declares. */
function declaredIn(page: string): string[] {
  return [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
}

async function apiNames(): Promise<string[]> {
  const pool = { totalCount: 1, idleCount: 1, waitingCount: 0 };
  const parts = {
    pool,
    replica: { problem: () => null },
    db: db(),
    now: () => new Date(),
    logger: pino({ level: 'silent' }),
    dependencies: [],
  };
  return declaredIn(await createRegistry(apiMetrics(createApiMeters(), parts)).metrics());
}

/** With the one that the worker's page adds by itself, and the one that it has with LAUNCH_MINT_SUFFIX. */
async function workerNames(): Promise<string[]> {
  const page = await createRegistry(worker.meters).metrics();
  return [...declaredIn(page), 'slipway_temporal_metrics_up', 'slipway_free_suffixed_launch_addresses'];
}

describe('alerts and panels', () => {
  it('name only metrics that API and worker serve', () => {
    const queries = [...alertRules().map(({ expr }) => expr), ...panelQueries()];
    const named = new Set(queries.flatMap(metricsNamedIn));
    expect(named.size).toBeGreaterThan(30);
    expect([...named].filter((name) => !served.has(name))).toEqual([]);
  });

  it('there is one for every chapter of the runbook that has a remedy, and each leads to a chapter', () => {
    const chapters = [...RUNBOOK.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z ]/g, '')
        .replaceAll(' ', '-'),
    );
    const linked = new Set(Object.values(ALARMS).map(({ chapter }) => chapter));
    expect([...linked].filter((chapter) => !chapters.includes(chapter))).toEqual([]);
    expect(chapters.filter((chapter) => !linked.has(chapter))).toEqual(WITHOUT_ALERT);
  });

  it('every alert has a test that lets it fire and clear', () => {
    const tests = readFileSync(join(PROMETHEUS, 'alerts.test.yml'), 'utf8');
    for (const { alert } of alertRules().filter(({ when }) => when.kind !== 'always')) {
      expect(tests.split(`alertname="${alert}",alertstate="firing"`)).toHaveLength(3);
    }
  });

  const promtool = onPath('promtool');
  it.skipIf(promtool === undefined)('fire and clear by promtool (skipped without promtool on PATH)', async () => {
    const run = (...args: string[]) => promisify(execFile)(promtool ?? '', args, { cwd: PROMETHEUS });
    await run('check', 'config', 'prometheus.yml');
    expect((await run('test', 'rules', 'alerts.test.yml')).stdout).toContain('SUCCESS');
  });
});
