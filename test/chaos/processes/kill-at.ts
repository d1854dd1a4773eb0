import { setTimeout as sleep } from 'node:timers/promises';
import { PublicKey } from '@solana/web3.js';
import { LOCAL_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { SWEEP_WORKFLOW } from '../../../workflows/messages/sweep.ts';
import { createCreator, type Prepared } from '../../platform/creator.ts';
import { eventually } from '../../platform/eventually.ts';
import { createAnswerLog, type Told } from '../answer-log.ts';
import { type ChainVerdict, judge } from '../chain-verdict.ts';
import { followToEnd } from '../follow-to-end.ts';
import type { Point } from './points.ts';
import type { KilledPart, RealStack } from './real-stack.ts';
import { completedActivities, lookAtBooks } from './sight.ts';

/** What came of a launch during which a process was killed. */
export interface KillReport {
  readonly part: KilledPart;
  readonly point: string;
  /** Where the launch really stood when the process was killed: the activities that were done, and its state. */
  readonly killedAt: string;
  readonly told: Told;
  readonly verdict: ChainVerdict;
  /** From the submit to the creator's answer, in ms. */
  readonly answeredMs: number;
}

/** A creator's patience with a launch whose platform is being killed, in ms. */
const PATIENCE_MS = 120_000;
/** Pace of the chain while launches begin, and while nothing but finality is waited for. */
const [SLOT_MS, FAST_SLOT_MS] = [400, 10];

/**
 * Launches a token, ends one process with `kill -9` the moment the launch has come to a point, and follows it to its end.
 * The worker stands still from the point on until the kill, so that nothing passes it.
 */
export async function killAt(stack: RealStack, part: KilledPart, point: Point): Promise<KillReport> {
  await stack.control('setSlotMs', { slotMs: SLOT_MS });
  const creator = await createCreator(stack);
  const before = await creator.balance();
  const prepared = await creator.prepare();
  const submission = creator.sign(prepared);
  const log = createAnswerLog();
  const disarm = await point.arm?.(stack);
  const began = Date.now();
  const followed = followToEnd(creator, submission, { log, withinMs: PATIENCE_MS });
  if (point.isLate) await followed.then(() => hasten(stack));
  const killedAt = await freezeAndKill(stack, part, point, prepared);
  await disarm?.();
  const told = await followed;
  const answeredMs = Date.now() - began;
  await settle(stack, prepared);
  const quoteMint = LOCAL_PAIRS[0]?.mint ?? PublicKey.default;
  const verdict = await judge(stack, { creator: creator.address, before, prepared, quoteMint });
  return { part, point: point.name, killedAt, told, verdict, answeredMs };
}

/** Finality needs 31 slots, the sweep its schedule: neither is worth a test's time. */
async function hasten(stack: RealStack): Promise<void> {
  await stack.control('setSlotMs', { slotMs: FAST_SLOT_MS });
}

async function freezeAndKill(stack: RealStack, part: KilledPart, point: Point, launch: Prepared): Promise<string> {
  const worker = stack.pidOf('worker');
  for (let looks = 0; !(await point.reached(stack, launch)); looks++) {
    if (point.isLate && looks % 50 === 0) await askForSweep(stack);
    await sleep(1);
  }
  process.kill(worker, 'SIGSTOP');
  const activities = await completedActivities(stack, launch);
  const { state } = await lookAtBooks(stack, launch);
  const killed = stack.kill(part);
  if (part !== 'worker') process.kill(worker, 'SIGCONT');
  await killed;
  return `${activities.at(-1) ?? 'nothing'} done, ${state ?? 'unknown'}`;
}

/** The sweep's schedule is due once a minute; a launch must be finalized before it is of any use. */
async function askForSweep({ temporal }: RealStack): Promise<void> {
  await temporal.schedule.getHandle(SWEEP_WORKFLOW).trigger();
}

/** Waits until no fork can change anything any more and the launch wallet is empty. */
async function settle(stack: RealStack, launch: Prepared): Promise<void> {
  await hasten(stack);
  let asked = 0;
  await eventually(
    async () => {
      const { state, isSwept } = await lookAtBooks(stack, launch);
      if (state !== 'finalized') return null;
      if (!isSwept && asked++ % 50 === 0) await askForSweep(stack);
      return isSwept || null;
    },
    { withinMs: PATIENCE_MS, what: `a swept launch ${launch.quoteId}` },
  );
}
