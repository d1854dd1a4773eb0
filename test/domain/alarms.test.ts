import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';
import { type AlarmName, ALARM_NAMES, ALARMS } from '../../domain/alarms/alarms.ts';
import { filledIn, runbookPageOf, templateOf } from '../../domain/alarms/alarm.ts';
import type { Condition } from '../../domain/alarms/condition.ts';
import { judge, type Sample, samplesOf } from '../../domain/alarms/judge.ts';
import { rulesText } from '../../dev/docs/alerts.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

it('deploy/prometheus/alerts.yml is what domain/alarms says (npm run docs)', () => {
  expect(read('deploy/prometheus/alerts.yml')).toBe(rulesText());
});

const kindsIn = (when: Condition): string[] => (when.kind === 'any' ? when.of.map(({ kind }) => kind) : [when.kind]);

/** Alarms that `ops status` cannot tell by figures. */
const DIRECT = ALARM_NAMES.filter((name) =>
  kindsIn(ALARMS[name].when).every((kind) => ['query', 'status'].includes(kind)),
);

describe('no alert without a line of `ops status`', () => {
  const sources = globSync('ops/commands/platform/status/*.ts', { cwd: ROOT }).map(read).join('\n');

  it.each(DIRECT)('%s is named by a direct check', (name) => {
    expect(sources).toMatch(new RegExp(`alert(?:: |\\s.*\\? .*|[^\\n]*)'${name}'`));
  });

  it('and no line without an alert: each of them names one, by its type', () => {
    expect(DIRECT.length).toBeGreaterThan(5);
    expect(sources).not.toContain('as AlarmName');
  });
});

it.each(ALARM_NAMES)(
  '%s has a chapter of the runbook, and its line names only labels that the condition keeps',
  (name) => {
    const { when, line, command, chapter } = ALARMS[name];
    const headings = [...read(`docs/${runbookPageOf(chapter)}`).matchAll(/^##+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(headings).toContain(chapter);
    const named = [...`${line} ${command}`.matchAll(/\{(\w+)\}/g)].map(([, label = '']) => label);
    const kept = when.kind === 'series' ? (when.by ?? []) : ['kept', 'both', 'age'].includes(when.kind) ? [] : null;
    if (kept !== null) expect(named.filter((label) => label !== 'value' && !kept.includes(label))).toEqual([]);
  },
);

it('a figure and labels are put in a line, for people and for Prometheus', () => {
  const line = '{wallet} is {value} behind';
  expect(filledIn(line, { wallet: 'treasury' }, { value: 7_300, unit: 'seconds' })).toBe('treasury is 2 h behind');
  expect(filledIn(line, { wallet: '' }, { value: 0.256, unit: 'share' })).toBe('is 25 % behind');
  expect(templateOf(line, 'seconds')).toBe('{{ $labels.wallet }} is {{ $value | humanizeDuration }} behind');
});

it('labels are read whole, with what they escape', () => {
  const page = '# HELP x y\nx{endpoint="rpc.example/v1",text="a \\"b\\""} 3\ny 1.5\nz +Inf\n';
  expect(samplesOf(page, 'i')).toEqual([
    { metric: 'x', labels: { endpoint: 'rpc.example/v1', text: 'a \\"b\\"', instance: 'i' }, value: 3 },
    { metric: 'y', labels: { instance: 'i' }, value: 1.5 },
    { metric: 'z', labels: { instance: 'i' }, value: Infinity },
  ]);
});

const TestsSchema = Type.Object({
  tests: Type.Array(
    Type.Object({
      name: Type.String(),
      input_series: Type.Array(Type.Object({ series: Type.String(), values: Type.String() })),
      promql_expr_test: Type.Array(
        Type.Object({
          expr: Type.String(),
          eval_time: Type.String(),
          exp_samples: Type.Array(Type.Object({ value: Type.Number() })),
        }),
      ),
    }),
  ),
});

type PromtoolTest = Static<typeof TestsSchema>['tests'][number];

const { tests } = Value.Parse(TestsSchema, Value.Clean(TestsSchema, parse(read('deploy/prometheus/alerts.test.yml'))));

/** Values of promtool's notation, one a minute; null where there is none. */
function expanded(notation: string): (number | null)[] {
  return notation.split(' ').flatMap((part) => {
    const [, first = '', step = '0', times = '0'] = /^(_|-?[\d.]+)(?:([+-][\d.]+))?(?:x(\d+))?$/.exec(part) ?? [];
    const length = Number(times) + (first === '_' ? 0 : 1);
    return Array.from({ length }, (_, index) => (first === '_' ? null : Number(first) + Number(step) * index));
  });
}

function samplesAt(test: PromtoolTest, minute: number): Sample[] {
  return test.input_series.flatMap(({ series, values }) => {
    const value = expanded(values)[minute];
    if (value === null || value === undefined) return [];
    const [sample] = samplesOf(`${series} ${value}`, /instance="([^"]*)"/.exec(series)?.[1] ?? '');
    return sample ? [sample] : [];
  });
}

const JUDGED = tests.flatMap((test) =>
  ALARM_NAMES.filter((name) => name === test.name && !DIRECT.includes(name)).map((name) => ({ name, test })),
);

describe('`ops status` judges by figures as Prometheus does', () => {
  it('every alarm that can be judged so has a test', () => {
    const judged = new Set<AlarmName>(JUDGED.map(({ name }) => name));
    const able = ALARM_NAMES.filter((name) => !DIRECT.includes(name) && ALARMS[name].when.kind !== 'always');
    expect(able.filter((name) => !judged.has(name))).toEqual([]);
  });

  it.each(JUDGED)('$name', ({ name, test }) => {
    const asked = test.promql_expr_test.filter(({ expr }) => expr.includes(`alertname="${name}"`));
    expect(asked.length).toBeGreaterThan(1);
    for (const { eval_time: at, exp_samples: expected } of asked) {
      const minute = Number(at.replace('m', ''));
      const met = judge(ALARMS[name].when, samplesAt(test, minute), minute * 60);
      expect([at, met.length]).toEqual([at, expected[0]?.value ?? 0]);
    }
  });
});

describe('a time that is not known yet', () => {
  const NOW = 1_795_900_000;
  const worker = (startedAt: number) => [
    { metric: 'process_start_time_seconds', labels: { instance: 'w' }, value: startedAt },
    { metric: 'slipway_temporal_metrics_up', labels: { instance: 'w' }, value: 1 },
  ];
  const api = { metric: 'process_start_time_seconds', labels: { instance: 'a' }, value: 1 };
  const AGES = ALARM_NAMES.filter((name) => ALARMS[name].when.kind === 'age');

  it.each(AGES)('%s: a worker that has just started is well, one that has run for hours without it is not', (name) => {
    const { when } = ALARMS[name];
    expect(judge(when, [...worker(NOW - 20), api], NOW)).toEqual([]);
    expect(judge(when, [...worker(NOW - 7_200), api], NOW)).toEqual([{ labels: {}, value: 7_200 }]);
    expect(judge(when, [api], NOW)).toEqual([]);
  });

  it('has no series: every gauge of a time is made by the one function that leaves it out', () => {
    const sources = globSync(['{worker,api,observe,activities}/**/*.ts'], { cwd: ROOT }).map(read).join('\n');
    const named = [...sources.matchAll(/(\w+)\([^()]*?'slipway_\w+_timestamp_seconds'/g)].map(([, maker]) => maker);
    expect(named.length).toBe([...sources.matchAll(/'slipway_\w+_timestamp_seconds'/g)].length);
    expect(new Set(named)).toEqual(new Set(['createTimeGauge']));
  });
});
