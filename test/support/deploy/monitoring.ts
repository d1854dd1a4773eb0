import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';

/** What is looked at of the Temporal runtime's own page; a test of the worker's process finds these on it. */
export const TEMPORAL_METRICS = ['temporal_worker_task_slots_available', 'temporal_request_total'];

/** On the page once a request to Temporal has failed. */
export const TEMPORAL_FAILURES = 'temporal_request_failure_total';

const DashboardSchema = Type.Object({
  panels: Type.Array(Type.Object({ targets: Type.Optional(Type.Array(Type.Object({ expr: Type.String() }))) })),
});

/** The queries of all panels of the dashboard. */
export function panelQueries(): string[] {
  const path = join(import.meta.dirname, '../../../deploy/grafana/dashboards/slipway.json');
  const { panels } = Value.Parse(DashboardSchema, JSON.parse(readFileSync(path, 'utf8')));
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** Metrics that a query names: all of ours, of Node's process and of Temporal's runtime have one of these beginnings. */
export function metricsNamedIn(query: string): string[] {
  const withoutText = query.replaceAll(/"[^"]*"/g, '""');
  return [...withoutText.matchAll(/\b(?:slipway|temporal|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name);
}
