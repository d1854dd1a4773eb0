import { setTimeout as sleep } from 'node:timers/promises';
import { type Arena, CALM_SLOT_MS, SLOT_MS } from './arena.ts';
import { type Contender, createContender } from './contender.ts';
import type { Fault } from './faults/fault.ts';
import { bringTo, bringToRecovery, PLAIN_STEPS, RECOVERY_STEPS, type Release, type Step } from './hold-at-step.ts';
import { createRandom, type Random } from './random.ts';
import { endAll, type Result } from './round.ts';

/** Every activity of a launch. */
export const STEPS: readonly Step[] = [...PLAIN_STEPS, ...RECOVERY_STEPS];

/**
 * Lets a fault strike while one launch stands right before each step, all at the same time; mends it a moment after they
 * went on, and follows each to its end. Answers what came of the launch at each step.
 */
export async function strikeAtEveryStep(arena: Arena, fault: Fault, seed: string): Promise<Map<Step, Result>> {
  const random = createRandom(seed);
  const { control } = arena.platform.chain;
  control.setSlotMs(CALM_SLOT_MS);
  // Those that lose their bundles on the way begin first: the others' quotes would not outlive it.
  const recovering = await contendersAt(arena, RECOVERY_STEPS, random);
  const released = await bringToRecovery(arena, recovering);
  const plain = await contendersAt(arena, PLAIN_STEPS, random);
  released.push(...(await Promise.all([...plain].map(([step, contender]) => bringTo(arena, step, contender)))));
  const contenders = new Map([...plain, ...recovering]);
  control.setSlotMs(SLOT_MS);
  await strike(arena, fault, [...contenders.values()], released, random);
  const results = await endAll(arena, [...contenders.values()], random.fork('end'));
  return new Map([...contenders.keys()].map((step, index) => [step, results[index]!]));
}

async function contendersAt(arena: Arena, steps: readonly Step[], random: Random): Promise<Map<Step, Contender>> {
  const made = steps.map(async (step) => [step, await createContender(arena, random.fork(step))] as const);
  const contenders = new Map(await Promise.all(made));
  // What a fork can take back must not be what the creators live on.
  arena.platform.chain.control.advanceSlots(34);
  return contenders;
}

async function strike(
  arena: Arena,
  fault: Fault,
  contenders: readonly Contender[],
  released: readonly Release[],
  random: Random,
): Promise<void> {
  const mend = await fault.strike({ arena, contenders, random: random.fork('strike') });
  for (const release of released) release();
  await sleep(300 + random.below(900));
  await mend();
}
