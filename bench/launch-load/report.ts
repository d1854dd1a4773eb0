import { availableParallelism, loadavg } from 'node:os';
import type { Round } from '../launch-latency/measure.ts';
import { median } from '../statistics.ts';
import { type Burst, type Cpu, PARTS } from './side.ts';

export interface Sample {
  readonly name: string;
  readonly rounds: readonly Round[];
  readonly bursts: readonly Burst[];
}

/** Medians; ms, CPU seconds per launch. */
export interface Figures {
  readonly name: string;
  readonly launchMs: number;
  readonly bareMs: number;
  readonly extraMs: number;
  readonly workflowTasks: number;
  readonly events: number;
  readonly cpu: Cpu;
  readonly workerAndTemporal: number;
  readonly launchesPerSecond: number;
  readonly underLoadMs: number;
  /** The most of all. */
  readonly slotsToLand: number;
}

export interface LoadReport {
  readonly bench: 'launch-load';
  readonly atOnce: number;
  readonly load: number;
  readonly cores: number;
  readonly sides: readonly Figures[];
}

export function reportOf(samples: readonly Sample[], atOnce: number): LoadReport {
  return {
    bench: 'launch-load',
    atOnce,
    load: loadavg()[0] ?? 0,
    cores: availableParallelism(),
    sides: samples.map(figuresOf),
  };
}

function figuresOf({ name, rounds, bursts }: Sample): Figures {
  const middle = (of: (one: Burst) => number) => median(bursts.map(of));
  const cpu = {
    worker: middle((one) => one.cpu.worker),
    temporal: middle((one) => one.cpu.temporal),
    api: middle((one) => one.cpu.api),
    postgres: middle((one) => one.cpu.postgres),
  };
  return {
    name,
    launchMs: median(rounds.map(({ launchMs }) => launchMs)),
    bareMs: median(rounds.map(({ bareMs }) => bareMs)),
    extraMs: median(rounds.map(({ launchMs, bareMs }) => launchMs - bareMs)),
    workflowTasks: median(bursts.flatMap(({ workflowTasks }) => workflowTasks)),
    events: median(bursts.flatMap(({ events }) => events)),
    cpu,
    workerAndTemporal: middle((one) => one.cpu.worker + one.cpu.temporal),
    launchesPerSecond: middle(({ launchMs, seconds }) => launchMs.length / seconds),
    underLoadMs: median(bursts.flatMap(({ launchMs }) => launchMs)),
    slotsToLand: Math.max(...bursts.flatMap(({ slots }) => slots)),
  };
}

export function describe({ sides, atOnce, load, cores }: LoadReport): string {
  const row = (name: string, of: (side: Figures) => string) =>
    `${name.padEnd(44)}${sides.map((side) => of(side).padStart(14)).join('')}`;
  const ms = (figure: number) => `${figure.toFixed(0)} ms`;
  return [
    row('launch-load, medians', ({ name }) => name),
    row('submit → completed, alone', ({ launchMs }) => ms(launchMs)),
    row('a bare bundle', ({ bareMs }) => ms(bareMs)),
    row('  more than the bare bundle beside it', ({ extraMs }) => ms(extraMs)),
    row('workflow tasks', ({ workflowTasks }) => String(workflowTasks)),
    row('events', ({ events }) => String(events)),
    ...PARTS.map((part) => row(`CPU of ${part}, each`, ({ cpu }) => ms(cpu[part] * 1_000))),
    row('  worker and Temporal', ({ workerAndTemporal }) => ms(workerAndTemporal * 1_000)),
    row(`launches a second, ${atOnce} at once`, ({ launchesPerSecond }) => launchesPerSecond.toFixed(2)),
    row('  submit → completed, p50', ({ underLoadMs }) => ms(underLoadMs)),
    row('  submit → landed, slots at most', ({ slotsToLand }) => String(slotsToLand)),
    `measured with a load of ${load.toFixed(1)} on ${cores} cores; above ${cores} it is waiting for a core that is measured`,
  ].join('\n');
}
