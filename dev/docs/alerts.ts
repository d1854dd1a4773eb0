import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';

const RuleSchema = Type.Object({
  alert: Type.String(),
  expr: Type.String(),
  /** Absent: at once. */
  for: Type.Optional(Type.String()),
  labels: Type.Object({ severity: Type.Enum(['page', 'ticket']) }),
  annotations: Type.Object({
    summary: Type.String(),
    runbook: Type.String({ pattern: '^docs/runbook\\.md#[a-z-]+$' }),
  }),
});

const RulesSchema = Type.Object({ groups: Type.Array(Type.Object({ rules: Type.Array(RuleSchema) })) });

export type AlertRule = Static<typeof RuleSchema>;

export function alertRules(): AlertRule[] {
  const path = join(import.meta.dirname, '../../deploy/prometheus/alerts.yml');
  return Value.Parse(RulesSchema, parse(readFileSync(path, 'utf8'))).groups.flatMap(({ rules }) => rules);
}

export function alertsText(): string {
  const byChapter = Map.groupBy(alertRules(), ({ annotations }) => annotations.runbook.split('#')[1]!);
  return [...byChapter].map(([chapter, rules]) => `- [${titleOf(chapter)}](#${chapter}): ${namesOf(rules)}`).join('\n');
}

const titleOf = (chapter: string): string => chapter.replaceAll('-', ' ');

const namesOf = (rules: readonly AlertRule[]): string =>
  rules.map(({ alert, labels }) => (labels.severity === 'page' ? `${alert}\\*` : alert)).join(', ');
