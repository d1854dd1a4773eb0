import { PublicKey } from '@solana/web3.js';
import { ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { isSettled } from '../../../../domain/launch/machine.ts';
import { SEED_PAIRS } from '../../../../dev/seed/local-pairs.ts';
import { LAUNCH_WALLETS_ROUND } from '../../../../workflows/launch/messages.ts';
import { createCreator, type Prepared } from '../../../support/platform/creator.ts';
import type { Round } from '../../../../workflows/start.ts';
import { eventually, WAIT_MS } from '../../../support/platform/eventually.ts';
import { createAnswerLog, type Told } from '../answer-log.ts';
import { type ChainVerdict, judge } from '../chain-verdict.ts';
import { contradictionsOf } from '../contradictions.ts';
import { feeKeyWish } from '../fee-key-wish.ts';
import { followToEnd } from '../follow-to-end.ts';
import { freezeAndStrike, killOf, type Strike } from './freeze-and-strike.ts';
import type { Point } from './points.ts';
import type { KilledPart, RealStack } from './real-stack.ts';
import { completedActivities, lookAtBooks } from './sight.ts';

/** What came of a launch during which something was struck down. */
export interface StrikeReport {
  readonly point: string;
  /** Where the launch really stood then: the last activity that was done, and its state. */
  readonly struckAt: string;
  readonly told: Told;
  readonly verdict: ChainVerdict;
  /** Broken promises, of the chain's and of what the client was told; empty when all were kept. */
  readonly problems: readonly string[];
  /** From the submit to the creator's answer, in ms. */
  readonly answeredMs: number;
}

/** Pace of the chain while launches begin, and while nothing but finality is waited for, in ms per slot. */
const [SLOT_MS, FAST_SLOT_MS] = [400, 10];

/** `kill -9` of one part the moment a new launch has come to a point; the launch is followed to its end. */
export function killAt(stack: RealStack, part: KilledPart, point: Point): Promise<StrikeReport> {
  return strikeAt(stack, point, killOf(part));
}

/**
 * Launches a token, strikes the moment the launch has come to a point, and follows it to its end. The worker stands still
 * from the point on until the strike, so that nothing passes it.
 */
export async function strikeAt(stack: RealStack, point: Point, strike: Strike): Promise<StrikeReport> {
  await stack.control('setSlotMs', { slotMs: SLOT_MS });
  const creator = await createCreator(stack);
  const before = await creator.balance();
  const { body, feeKeyTo } = feeKeyWish(creator.address, {}, true);
  const prepared = await creator.prepare(body);
  const log = createAnswerLog();
  const disarm = await point.arm?.(stack);
  const began = Date.now();
  const followed = followToEnd(creator, creator.sign(prepared), { log, withinMs: WAIT_MS });
  if (point.isLate) await followed.then(() => hasten(stack));
  let looks = 0;
  const hasCome = async () => {
    if (point.isLate && looks++ % 50 === 0) await trigger(stack, LAUNCH_WALLETS_ROUND);
    return point.reached(stack, prepared);
  };
  const moment = { what: `the moment "${point.name}" of launch ${prepared.quoteId}`, hasCome, disarm };
  const struckAt = await freezeAndStrike(stack, moment, strike, () => standOf(stack, prepared));
  const told = await followed;
  const answeredMs = Date.now() - began;
  await settle(stack, prepared);
  const quoteMint = SEED_PAIRS[0]?.mint ?? PublicKey.default;
  const verdict = await judge(stack, { creator: creator.address, before, prepared, quoteMint, feeKeyTo });
  const problems = [...verdict.problems, ...contradictionsOf(log, verdict)];
  return { point: point.name, struckAt, told, verdict, problems, answeredMs };
}

/** The last activity of a launch that was done, and its state. */
async function standOf(stack: RealStack, launch: Prepared): Promise<string> {
  const activities = await completedActivities(stack, launch);
  const { state } = await lookAtBooks(stack, launch);
  return `${activities.at(-1) ?? 'nothing'} done, ${state ?? 'unknown'}`;
}

/** Finality needs 31 slots, which are not worth a test's time. */
async function hasten(stack: RealStack): Promise<void> {
  await stack.control('setSlotMs', { slotMs: FAST_SLOT_MS });
}

/** Schedules come round once in a while; what they start is asked for at once. Answers false while there is no such schedule. */
export async function trigger({ temporal }: RealStack, { scheduleId }: Round): Promise<boolean> {
  try {
    await temporal.schedule.getHandle(scheduleId).trigger(ScheduleOverlapPolicy.SKIP);
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

/** Waits until nothing can change any more: the launch is settled and, where its token exists, its wallet is empty. */
async function settle(stack: RealStack, launch: Prepared): Promise<void> {
  await hasten(stack);
  let asked = 0;
  await eventually(async () => {
    const { state, isEmptied } = await lookAtBooks(stack, launch);
    if (state === undefined || !isSettled(state)) return null;
    if (state !== 'finalized') return true;
    if (!isEmptied && asked++ % 50 === 0) await trigger(stack, LAUNCH_WALLETS_ROUND);
    return isEmptied || null;
  }, `a settled launch ${launch.quoteId}`);
}
