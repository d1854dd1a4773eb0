import { setTimeout as sleep } from 'node:timers/promises';
import { createLaunchRepository } from '../../db/launches.ts';
import type { ResolutionAction } from '../../domain/launch-resolution.ts';
import { resolveLaunch } from '../../ops/resolve-launch.ts';
import { landedMemos } from '../platform/chain-facts.ts';
import { letEverythingExpire } from '../platform/doom.ts';
import { eventually } from '../platform/eventually.ts';
import type { Arena } from './arena.ts';
import type { Contender } from './contender.ts';

/** Steps of every launch. */
export const PLAIN_STEPS = [
  ...['openLaunch', 'assembleBundle', 'simulateBundle', 'storeMetadata', 'landBundle', 'recordLaunch'],
  'finalizeLaunch',
] as const;

/** Steps of a launch of which only a beginning landed. */
export const RECOVERY_STEPS = ['rebuildRest', 'resolveLaunch', 'refundLaunch'] as const;

export type Step = (typeof PLAIN_STEPS)[number] | (typeof RECOVERY_STEPS)[number];

/** Lets a launch go on from where it was held. */
export type Release = () => void;

/** Begins a launch and resolves when it stands right before a step. */
export async function bringTo(arena: Arena, step: Step, contender: Contender): Promise<Release> {
  const held = arena.platform.gate.hold(step, contender.prepared.quoteId);
  contender.begin();
  await held.reached;
  return () => held.release();
}

/** The same for the steps of recovery, all at once: their launches lose the rest of their bundles on the way. */
export async function bringToRecovery(arena: Arena, contenders: ReadonlyMap<Step, Contender>): Promise<Release[]> {
  const { platform } = arena;
  const held = [...contenders].map(([step, { prepared }]) => platform.gate.hold(step, prepared.quoteId));
  await landPayments(arena, [...contenders.values()]);
  const decisions = [...contenders].flatMap(([step, contender]) => decisionFor(step, contender));
  const parked = decisions.map(({ contender }) => contender);
  letEverythingExpire(platform);
  while (!(await areParked(arena, parked))) {
    await sleep(100);
    letEverythingExpire(platform);
  }
  const resolved = decisions.map(({ contender, action }) => decide(arena, contender, action));
  await Promise.all(held.map(({ reached }) => reached));
  platform.engine.setFault({ fault: 'none' });
  return [...held.map((step) => () => step.release()), () => void Promise.all(resolved)];
}

/** Lands the payment of each launch and, as far as that can be helped, nothing else. */
async function landPayments(arena: Arena, contenders: readonly Contender[]): Promise<void> {
  const { engine } = arena.platform;
  engine.setFault({ fault: 'drop' });
  const held = await Promise.all(contenders.map((contender) => bringTo(arena, 'landBundle', contender)));
  for (const [index, { prepared }] of contenders.entries()) {
    held[index]?.();
    await eventually(async () => {
      if ((await landedMemos(arena.platform, prepared)).length > 0) return true;
      // Another launch may have taken it with a repeat of its own.
      if (engine.fault().fault === 'drop') engine.setFault({ fault: 'prefix', prefixLength: 1, times: 1 });
      if (engine.fault().fault === 'none') engine.setFault({ fault: 'drop' });
      return null;
    });
  }
  engine.setFault({ fault: 'drop' });
}

function decisionFor(step: Step, contender: Contender): { contender: Contender; action: ResolutionAction }[] {
  if (step === 'rebuildRest') return [];
  return [{ contender, action: step === 'refundLaunch' ? 'refund' : 'resume' }];
}

async function areParked({ platform }: Arena, contenders: readonly Contender[]): Promise<boolean> {
  const launches = createLaunchRepository(platform.db);
  const found = await Promise.all(contenders.map(({ prepared }) => launches.byQuoteId(prepared.quoteId)));
  return found.every((launch) => launch?.state === 'needs_recovery');
}

/** The decision is carried out while the fault strikes; what becomes of the launch is judged at its end. */
async function decide({ platform }: Arena, { prepared }: Contender, action: ResolutionAction): Promise<void> {
  const resolution = { action, note: 'decided by a test', actor: 'chaos' };
  await resolveLaunch(platform, prepared.quoteId, resolution, 1).catch(() => undefined);
}
