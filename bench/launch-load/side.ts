import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { type Round, runRound } from '../launch-latency/measure.ts';
import type { OwnStack } from '../own-stack.ts';
import { prepareLaunch, type SignedLaunch } from '../launch-latency/prepare.ts';
import type { Rig } from '../launch-latency/rig.ts';
import { cpuSecondsOf } from './cpu.ts';

export const PARTS = ['worker', 'temporal', 'api', 'postgres'] as const;

export type Cpu = Readonly<Record<(typeof PARTS)[number], number>>;

export interface Burst {
  readonly seconds: number;
  readonly launchMs: readonly number[];
  /** Slots from the submit to the one in which the bundle landed. */
  readonly slots: readonly number[];
  readonly cpu: Cpu;
  readonly events: readonly number[];
  readonly workflowTasks: readonly number[];
}

export interface Side {
  readonly name: string;
  readonly own: OwnStack;
  readonly rig: Rig;
}

/** @param offsetMs after a slot's beginning */
export function alone({ rig }: Side, offsetMs: number, launchFirst: boolean): Promise<Round> {
  return runRound(rig, offsetMs, launchFirst);
}

const IDLE_MS = 4_000;

/** `whenPrepared` runs before the measurement begins. */
export async function burst(side: Side, atOnce: number, whenPrepared?: () => Promise<void>): Promise<Burst> {
  const prepared: SignedLaunch[] = [];
  for (let n = 0; n < atOnce; n++) prepared.push(await prepareLaunch(side.rig));
  await whenPrepared?.();
  const idle = await idleRates(side);
  const [before, begunAt] = [cpuOf(side), performance.now()];
  const landed = await Promise.all(prepared.map((launch) => submit(side.rig, launch)));
  const seconds = (performance.now() - begunAt) / 1_000;
  const histories = await Promise.all(prepared.map(({ quoteId }) => untilFinal(side.rig, quoteId)));
  const [after, tookSeconds] = [cpuOf(side), (performance.now() - begunAt) / 1_000];
  return {
    seconds,
    launchMs: landed.map(({ ms }) => ms),
    slots: landed.map(({ slots }) => slots),
    cpu: eachPart((part) => (after[part] - before[part] - idle[part] * tookSeconds) / atOnce),
    events: histories.map(({ events }) => events?.length ?? 0),
    workflowTasks: histories.map(({ events }) => (events ?? []).filter(isTask).length),
  };
}

interface Landed {
  readonly ms: number;
  readonly slots: number;
}

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

async function submit(rig: Rig, { signedQuote, signedTransaction }: SignedLaunch): Promise<Landed> {
  const [from, begunAt] = [await rig.rpc.connection.getSlot('processed'), performance.now()];
  for (;;) {
    // "processing": a busy machine may exceed a submit's wait.
    const body = { signedQuote, signedTransaction, logo: rig.wish.logo };
    const { status, paymentSignature } = await rig.api.ask('POST /launches/submit', { body });
    if (status !== 'completed') continue;
    const ms = performance.now() - begunAt;
    const [landed] = await rig.rpc.signatureStatuses([paymentSignature]);
    if (!landed) throw new Error(`payment ${paymentSignature} completed its launch, and the chain has no status of it`);
    return { ms, slots: landed.slot - from };
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
