import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { withoutGaps } from '../../../../domain/alarms/alarm.ts';
import { type AlarmName, ALARMS } from '../../../../domain/alarms/alarms.ts';
import { errorTextWithCauses } from '../../../../domain/error-text.ts';
import type { OpsIo } from '../../../io.ts';
import type { Findings, StatusLine } from './line.ts';
import { subjectOf } from './page-lines.ts';

const TIMEOUT_MS = 4_000;

const AlertsSchema = Type.Object({
  data: Type.Object({
    alerts: Type.Array(
      Type.Object({
        state: Type.String(),
        labels: Type.Record(Type.String(), Type.String()),
        annotations: Type.Record(Type.String(), Type.String()),
      }),
    ),
  }),
});

type Firing = Static<typeof AlertsSchema>['data']['alerts'][number];

/** Asks Prometheus for the alerts that fire, and whether it evaluates them: a dead one is silent. */
export async function monitoringFindings({ env }: OpsIo): Promise<Findings> {
  const url = env['PROMETHEUS_URL']?.replace(/\/$/, '');
  if (!url) return { lines: [], notAsked: ['Prometheus and the alerts that fire (PROMETHEUS_URL)'] };
  try {
    const response = await fetch(`${url}/api/v1/alerts`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { data } = Value.Parse(AlertsSchema, Value.Clean(AlertsSchema, await response.json()));
    return { lines: linesOf(data.alerts, url), notAsked: [] };
  } catch (error) {
    return { lines: [silent(`${url} does not answer: ${errorTextWithCauses(error)}`, url)], notAsked: [] };
  }
}

function linesOf(alerts: readonly Firing[], url: string): StatusLine[] {
  const firing = alerts.filter(({ state }) => state === 'firing');
  const isWatching = firing.some(({ labels }) => labels['alertname'] === 'SlipwayAlarmsWork');
  const told = firing.flatMap(({ labels, annotations }) => lineOf(labels, annotations));
  return isWatching ? told : [silent(`${url} does not evaluate deploy/prometheus/alerts.yml`, url), ...told];
}

function lineOf(labels: Firing['labels'], { summary = '', command }: Firing['annotations']): StatusLine[] {
  const name = labels['alertname'] ?? '';
  if (!isAlarm(name) || ALARMS[name].severity === 'none') return [];
  const subject = subjectOf(name, labels);
  return [{ alert: name, subject, is: 'failing', what: withoutGaps(summary), remedy: command ?? ALARMS[name].command }];
}

function silent(what: string, url: string): StatusLine {
  const remedy = `curl -sS ${url}/api/v1/rules`;
  return { alert: 'SlipwayNotScraped', subject: 'monitoring', is: 'unreachable', what, remedy };
}

function isAlarm(name: string): name is AlarmName {
  return Object.hasOwn(ALARMS, name);
}
