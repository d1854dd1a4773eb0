import { availableParallelism, loadavg } from 'node:os';
import { median, type Spread, spreadOf } from '../statistics.ts';
import type { Round } from './measure.ts';
import type { LaunchTimeline } from './timeline.ts';

/** ms. */
export interface LatencyReport {
  readonly bench: 'launch-latency';
  readonly rounds: number;
  /** Above one per core the figures include waiting. */
  readonly load: number;
  readonly cores: number;
  readonly launch: Spread;
  readonly bare: Spread;
  readonly extraP50: number;
  readonly extraMean: number;
  readonly ratioP50: number;
  readonly temporal: Spread;
  readonly temporalShareOfLaunch: number;
  readonly temporalShareOfExtra: number;
  readonly parts: readonly { readonly name: string; readonly waitMs: number; readonly runMs: number }[];
}

export function summarize(rounds: readonly Round[]): LatencyReport {
  const [launch, bare] = [spreadOf(rounds.map((r) => r.launchMs)), spreadOf(rounds.map((r) => r.bareMs))];
  const temporal = spreadOf(rounds.map(({ timeline }) => temporalMs(timeline)));
  const extraP50 = launch.p50 - bare.p50;
  return {
    bench: 'launch-latency',
    rounds: rounds.length,
    launch,
    bare,
    extraP50,
    extraMean: meanOf(rounds.map(({ launchMs, bareMs }) => launchMs - bareMs)),
    temporal,
    load: loadavg()[0] ?? 0,
    cores: availableParallelism(),
    ratioP50: launch.p50 / bare.p50,
    temporalShareOfLaunch: temporal.p50 / launch.p50,
    temporalShareOfExtra: temporal.p50 / extraP50,
    parts: partsOf(rounds.map(({ timeline }) => timeline)),
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function temporalMs({ steps, verdictMs }: LaunchTimeline): number {
  return steps.reduce((sum, { waitMs }) => sum + waitMs, verdictMs);
}

function partsOf(timelines: readonly LaunchTimeline[]): LatencyReport['parts'] {
  const middle = (of: (timeline: LaunchTimeline) => number) => median(timelines.map(of));
  const names = timelines[0]?.steps.map(({ name }) => name) ?? [];
  const steps = names.map((name, index) => ({
    name,
    waitMs: middle(({ steps }) => steps[index]?.waitMs ?? 0),
    runMs: middle(({ steps }) => steps[index]?.runMs ?? 0),
  }));
  return [
    { name: 'submit until the workflow exists', waitMs: 0, runMs: middle(({ intakeMs }) => intakeMs) },
    ...steps,
    { name: 'verdict', waitMs: middle(({ verdictMs }) => verdictMs), runMs: 0 },
    { name: 'verdict until the answer is here', waitMs: 0, runMs: middle(({ answerMs }) => answerMs) },
  ];
}

const ms = (value: number) => `${value.toFixed(0).padStart(6)} ms`;
const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

export function describe(report: LatencyReport): string {
  const { launch, bare, temporal, rounds } = report;
  const line = (name: string, { p50, p99, min, max }: Spread) =>
    `  ${name.padEnd(34)}${ms(p50)}${ms(p99)}${ms(min)}${ms(max)}`;
  return [
    `launch-latency, ${rounds} alternating rounds        p50      p99      min      max`,
    line('submit → completed', launch),
    line('bare bundle → confirmed', bare),
    line('of a launch: Temporal itself', temporal),
    `  on average a launch takes ${report.extraMean.toFixed(0)} ms more; goal: at most 150 ms`,
    `  at p50 it takes ${report.extraP50.toFixed(0)} ms more (${report.ratioP50.toFixed(2)} times)`,
    `  Temporal is ${percent(report.temporalShareOfLaunch)} of a launch and ${percent(report.temporalShareOfExtra)} of what it takes more`,
    `  measured with a load of ${report.load.toFixed(1)} on ${report.cores} cores; above ${report.cores} it is waiting for a core that is measured`,
    '',
    'where the time of a launch goes, medians  Temporal   at work',
    ...report.parts.map(({ name, waitMs, runMs }) => `  ${name.padEnd(38)}${ms(waitMs)}${ms(runMs)}`),
  ].join('\n');
}
