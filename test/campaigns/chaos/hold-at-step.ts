import { setTimeout as sleep } from 'node:timers/promises';
import type { LaunchActivities } from '../../../activities/launch/activities.ts';
import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import * as launches from '../../../db/launch/launches.ts';
import type { ResolutionAction } from '../../../domain/launch/operator-decision.ts';
import { sendDecision } from '../../../ops/commands/launch/send-decision.ts';
import { launchPurpose } from '../../../domain/purpose.ts';
import { landedMemos } from '../../support/platform/chain-facts.ts';
import { letEverythingExpire } from '../../support/platform/doom.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { untilState } from '../../support/platform/until-state.ts';
import type { Arena } from './arena.ts';
import type { Contender } from './contender.ts';
import { standingOf } from '../../../db/launch/launch-standing.ts';

type LaunchStep = keyof LaunchActivities;

/** Steps of every launch. */
export const PLAIN_STEPS = [
  'openLaunch',
  'assembleBundle',
  'simulateBundle',
  'storeMetadata',
  'landBundle',
  'recordLaunch',
  'finalizeLaunch',
] as const satisfies readonly LaunchStep[];

/** Steps of a launch of which only a beginning landed. */
export const RECOVERY_STEPS = ['rebuildRest', 'resolveLaunch', 'refundLaunch'] as const satisfies readonly LaunchStep[];

export type Step = (typeof PLAIN_STEPS)[number] | (typeof RECOVERY_STEPS)[number];

/** Lets a launch go on from where it was held. */
export type Release = () => void;

/** Begins a launch and resolves when it stands right before a step. */
export async function bringTo(arena: Arena, step: Step, contender: Contender): Promise<Release> {
  const held = arena.platform.gate.hold(step, contender.prepared.quoteId);
  contender.begin();
  await Promise.race([held.reached, contender.ended.then(() => assertCompleted(step, contender))]);
  await held.reached;
  return () => held.release();
}

/** A client is told `completed` before the last steps; whatever else it was told, no step follows. */
function assertCompleted(step: Step, { prepared, ending, log }: Contender): void {
  if (ending() === 'completed') return;
  throw new Error(`launch ${prepared.quoteId} ended before ${step}: ${JSON.stringify(log.heard.at(-1)?.answer)}`);
}

/** The same for the steps of recovery, all at once: their launches lose the rest of their bundles on the way. */
export async function bringToRecovery(arena: Arena, contenders: ReadonlyMap<Step, Contender>): Promise<Release[]> {
  const { platform } = arena;
  const held = [...contenders].map(([step, { prepared }]) => platform.gate.hold(step, prepared.quoteId));
  await landPayments(arena, [...contenders.values()]);
  const decisions = [...contenders].flatMap(([step, contender]) => decisionFor(step, contender));
  const parked = decisions.map(({ contender }) => contender);
  await eventually(() => parkedAfterDeath(arena, parked), 'launches that wait for an operator');
  const resolved = decisions.map(({ contender, action }) => decide(arena, contender, action));
  await Promise.all(held.map(({ reached }) => reached));
  platform.engine.setFault({ fault: 'none' });
  return [...held.map((step) => () => step.release()), () => void Promise.all(resolved)];
}

/** Lands the payment of each launch and nothing else, as a block engine can that keeps what it was sent. */
async function landPayments({ platform }: Arena, contenders: readonly Contender[]): Promise<void> {
  platform.engine.setFault({ fault: 'drop' });
  for (const { begin } of contenders) begin();
  for (const { prepared } of contenders) {
    await untilState(platform, prepared, 'landing');
    const [payment] = await chainTransactions.attemptsOf(platform.db, launchPurpose(prepared.quoteId, 1));
    if (!payment) throw new Error(`launch ${prepared.quoteId} is landing without a payment`);
    await platform.connection.sendRawTransaction(payment.wire, { skipPreflight: true });
    await eventually(async () => (await landedMemos(platform, prepared)).length > 0 || null);
  }
}

function decisionFor(step: Step, contender: Contender): { contender: Contender; action: ResolutionAction }[] {
  if (step === 'rebuildRest') return [];
  return [{ contender, action: step === 'refundLaunch' ? 'refund' : 'resume' }];
}

/** Lets whatever was signed meanwhile die. Answers null while a launch is not parked yet. */
async function parkedAfterDeath(arena: Arena, contenders: readonly Contender[]): Promise<true | null> {
  if (await areParked(arena, contenders)) return true;
  letEverythingExpire(arena.platform);
  await sleep(300);
  return null;
}

async function areParked({ platform }: Arena, contenders: readonly Contender[]): Promise<boolean> {
  const found = await Promise.all(contenders.map(({ prepared }) => launches.byQuoteId(platform.db, prepared.quoteId)));
  return found.every((launch) => launch?.state === 'needs_recovery');
}

/** The decision is carried out while the fault strikes; what becomes of the launch is judged at its end. */
async function decide({ platform }: Arena, { prepared }: Contender, action: ResolutionAction): Promise<void> {
  const parking = (await standingOf(platform.db, prepared.quoteId))?.parking ?? 1;
  const resolution = { action, parking, note: 'decided by a test', actor: 'chaos' };
  await sendDecision(platform, prepared.quoteId, resolution, 1).catch(() => undefined);
}
