import { type Alarm, runbookPageOf, templateOf } from '../../domain/alarms/alarm.ts';
import { type AlarmName, ALARM_NAMES, ALARMS } from '../../domain/alarms/alarms.ts';
import { promqlOf } from '../../domain/alarms/condition.ts';

export interface AlertRule extends Alarm {
  readonly alert: AlarmName;
  readonly expr: string;
}

/** The rules of Prometheus; without alarms that only `ops status` sees. */
export function alertRules(): AlertRule[] {
  return ALARM_NAMES.flatMap((alert) => {
    const expr = promqlOf(ALARMS[alert].when);
    return expr === null ? [] : [{ alert, expr, ...ALARMS[alert] }];
  });
}

const HEADER = `# Written by \`npm run docs\` from domain/alarms. alerts.test.yml lets each alert fire and clear:
# promtool test rules deploy/prometheus/alerts.test.yml
groups:
  - name: slipway
    rules:
`;

/** The content of deploy/prometheus/alerts.yml. */
export function rulesText(): string {
  return `${HEADER}${alertRules().map(ruleText).join('')}`;
}

function ruleText({ alert, expr, lasting, severity, line, unit, chapter, command }: AlertRule): string {
  return [
    `      - alert: ${alert}`,
    `        expr: ${quoted(expr)}`,
    ...(lasting === undefined ? [] : [`        for: ${lasting}`]),
    `        labels:`,
    `          severity: ${severity}`,
    `        annotations:`,
    `          summary: ${quoted(templateOf(line, unit))}`,
    `          command: ${quoted(templateOf(command, unit))}`,
    `          runbook: docs/${runbookPageOf(chapter)}#${chapter}`,
    '',
  ].join('\n');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Each alarm by its chapter, with its command. */
export function alertsText(): string {
  const byChapter = Map.groupBy(ALARM_NAMES, (name) => ALARMS[name].chapter);
  return [...byChapter]
    .map(([chapter, names]) =>
      [`- [${titleOf(chapter)}](${runbookPageOf(chapter)}#${chapter})`, ...names.map(alarmText)].join('\n'),
    )
    .join('\n');
}

const titleOf = (chapter: string): string => chapter.replaceAll('-', ' ');

function alarmText(name: AlarmName): string {
  const { severity, command, when } = ALARMS[name];
  const place = when.kind === 'status' ? ' (`ops status` alone)' : '';
  return `  - ${name}${severity === 'page' ? '\\*' : ''}${place}: \`${command.replaceAll(/\{(\w+)\}/g, (_, label: string) => label.toUpperCase())}\``;
}
