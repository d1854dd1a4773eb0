import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';

const RuleSchema = Type.Object({
  alert: Type.String(),
  expr: Type.String(),
  /** Absent for one that fires at once. */
  for: Type.Optional(Type.String()),
  labels: Type.Object({ severity: Type.Enum(['page', 'ticket']) }),
  annotations: Type.Object({
    summary: Type.String(),
    /** Chapter of the runbook, as a path from the project's root. */
    runbook: Type.String({ pattern: '^docs/runbook\\.md#[a-z-]+$' }),
  }),
});

const RulesSchema = Type.Object({ groups: Type.Array(Type.Object({ rules: Type.Array(RuleSchema) })) });

/** An alert as Prometheus reads it. */
export type AlertRule = Static<typeof RuleSchema>;

/** Every alert of deploy/prometheus/alerts.yml, in its order. */
export function alertRules(): AlertRule[] {
  const path = join(import.meta.dirname, '../../deploy/prometheus/alerts.yml');
  return Value.Parse(RulesSchema, parse(readFileSync(path, 'utf8'))).groups.flatMap(({ rules }) => rules);
}

/** The alerts as a list, each with its chapter. */
export function alertsText(): string {
  return alertRules().map(lineOf).join('\n');
}

function lineOf({ alert, for: after = 'at once', labels, annotations }: AlertRule): string {
  const chapter = annotations.runbook.slice('docs/runbook.md'.length);
  const said = annotations.summary
    .replaceAll(/\{\{ \$value[^}]*\}\}/g, '…')
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '<$1>');
  return `- [${alert}](${chapter}) (${labels.severity}, ${after}): ${said}`;
}
