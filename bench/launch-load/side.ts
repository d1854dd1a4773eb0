import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { type Round, runRound } from '../launch-latency/measure.ts';
import type { OwnStack } from '../own-stack.ts';
import { prepareLaunch, type SignedLaunch } from '../launch-latency/prepare.ts';
import type { Rig } from '../launch-latency/rig.ts';
import { cpuSecondsOf } from './cpu.ts';

/** Parts whose CPU is read. */
export const PARTS = ['worker', 'temporal', 'api', 'postgres'] as const;

export type Cpu = Readonly<Record<(typeof PARTS)[number], number>>;

/** Many launches at once. */
export interface Burst {
  /** From the first submit to the last answer, in seconds. */
  readonly seconds: number;
  /** From each submit to its answer, in ms. */
  readonly launchMs: readonly number[];
  /** Seconds of CPU for each launch until it is final, beyond what the parts take while nothing happens. */
  readonly cpu: Cpu;
  readonly events: readonly number[];
  readonly workflowTasks: readonly number[];
}

/** A stack that is measured, and what reaches it. */
export interface Side {
  readonly name: string;
  readonly own: OwnStack;
  readonly rig: Rig;
}

/** One launch by itself and one bare bundle, begun so many ms after the beginning of a slot. */
export function alone({ rig }: Side, offsetMs: number, launchFirst: boolean): Promise<Round> {
  return runRound(rig, offsetMs, launchFirst);
}

const IDLE_MS = 4_000;

/** Submits so many launches at the same moment and follows each until it is final. */
export async function burst(side: Side, atOnce: number): Promise<Burst> {
  const prepared: SignedLaunch[] = [];
  for (let n = 0; n < atOnce; n++) prepared.push(await prepareLaunch(side.rig));
  const idle = await idleRates(side);
  const [before, begunAt] = [cpuOf(side), performance.now()];
  const launchMs = await Promise.all(prepared.map((launch) => submit(side.rig, launch)));
  const seconds = (performance.now() - begunAt) / 1_000;
  const histories = await Promise.all(prepared.map(({ quoteId }) => untilFinal(side.rig, quoteId)));
  const [after, tookSeconds] = [cpuOf(side), (performance.now() - begunAt) / 1_000];
  return {
    seconds,
    launchMs,
    cpu: eachPart((part) => (after[part] - before[part] - idle[part] * tookSeconds) / atOnce),
    events: histories.map(({ events }) => events?.length ?? 0),
    workflowTasks: histories.map(({ events }) => (events ?? []).filter(isTask).length),
  };
}

/** Seconds of CPU a second while nothing happens. */
async function idleRates(side: Side): Promise<Cpu> {
  const [before, begunAt] = [cpuOf(side), performance.now()];
  await sleep(IDLE_MS);
  const seconds = (performance.now() - begunAt) / 1_000;
  const after = cpuOf(side);
  return eachPart((part) => (after[part] - before[part]) / seconds);
}

function cpuOf({ own: { stack } }: Side): Cpu {
  return eachPart((part) => cpuSecondsOf(stack.pidOf(part) ?? 0));
}

function eachPart(figure: (part: keyof Cpu) => number): Cpu {
  return { worker: figure('worker'), temporal: figure('temporal'), api: figure('api'), postgres: figure('postgres') };
}

async function submit(rig: Rig, { quoteId, ...submission }: SignedLaunch): Promise<number> {
  const begunAt = performance.now();
  for (;;) {
    const { status } = await rig.api.ask('POST /launches/submit', { body: { ...submission, logo: rig.wish.logo } });
    if (status === 'completed') return performance.now() - begunAt;
    // A machine on which others work too may take longer than a submit waits.
    if (status !== 'processing') throw new Error(`launch ${quoteId} is ${status} and was to be completed`);
  }
}

async function untilFinal({ temporal }: Rig, quoteId: string): Promise<History> {
  const handle = temporal.workflow.getHandle(launchWorkflowId(quoteId));
  await handle.result();
  return handle.fetchHistory();
}

function isTask({ workflowTaskCompletedEventAttributes: task }: NonNullable<History['events']>[number]): boolean {
  return Boolean(task);
}
