import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../../domain/error-text.ts';
import type { Arena } from './arena.ts';
import type { ChainVerdict } from './chain-verdict.ts';
import { type Contender, createContender } from './contender.ts';
import { contradictionsOf } from './contradictions.ts';
import type { Fault, Mend, Scene } from './faults/fault.ts';
import { FAULTS } from './faults/index.ts';
import { createRandom, type Random } from './random.ts';
import { settle } from './settle.ts';

/** What came of one launch of a round. */
export interface Result {
  readonly quoteId: string;
  readonly outcome: ChainVerdict['outcome'] | 'unsettled';
  /** What the client was told over time, repeats left out. */
  readonly told: readonly string[];
  /** Broken promises; empty when all of them held. */
  readonly problems: readonly string[];
}

/** One round: which faults struck, and what came of each launch. */
export interface RoundReport {
  readonly seed: string;
  readonly faults: readonly string[];
  readonly results: readonly Result[];
}

/** How many launches go through a round, at most, and how many faults strike while they run. */
const [MOST_LAUNCHES, MOST_FAULTS] = [4, 5];

/**
 * One round of chaos: up to four launches of any kind begin, up to five faults strike one upon the other while they run,
 * everything is mended, and each launch is followed to its end and judged. All choices follow from the seed; the moment at
 * which a fault meets a launch also depends on the machine.
 */
export async function playRound(arena: Arena, seed: string): Promise<RoundReport> {
  const random = createRandom(seed);
  const contenders = await contendersOf(arena, random.fork('launches'));
  // What a fork can take back must not be what the creators live on.
  arena.platform.chain.control.advanceSlots(34);
  const scene = { arena, contenders, random: random.fork('scene') };
  const faults = random.shuffle(FAULTS).slice(0, 1 + random.below(MOST_FAULTS));
  await Promise.all([beginAll(contenders, random.fork('begin')), strikeAll(scene, faults, random.fork('strikes'))]);
  return { seed, faults: faults.map(({ name }) => name), results: await endAll(arena, contenders, random.fork('end')) };
}

async function contendersOf(arena: Arena, random: Random): Promise<Contender[]> {
  const names = Array.from({ length: 1 + random.below(MOST_LAUNCHES) }, (_, index) => `launch ${index}`);
  return Promise.all(names.map((name) => createContender(arena, random.fork(name))));
}

async function beginAll(contenders: readonly Contender[], random: Random): Promise<void> {
  for (const contender of contenders) {
    contender.begin();
    await sleep(random.below(300));
  }
}

/** Each fault strikes after a pause and lasts for a while; they may overlap. */
async function strikeAll(scene: Scene, faults: readonly Fault[], random: Random): Promise<void> {
  const mends: Promise<void>[] = [];
  for (const fault of faults) {
    await sleep(random.below(500));
    const mend = await fault.strike({ ...scene, random: random.fork(fault.name) });
    mends.push(mendLater(mend, random.below(2_500)));
  }
  await Promise.all(mends);
}

async function mendLater(mend: Mend, ms: number): Promise<void> {
  await sleep(ms);
  await mend();
}

/** Mends what is left, follows every launch to its end, and judges it. */
export async function endAll(arena: Arena, contenders: readonly Contender[], random: Random): Promise<Result[]> {
  arena.heal();
  return Promise.all(contenders.map((contender, index) => endOne(arena, contender, random.fork(String(index)))));
}

async function endOne(arena: Arena, contender: Contender, random: Random): Promise<Result> {
  const { quoteId } = contender.prepared;
  const told = () => contender.log.heard.map((heard) => heard.told).filter((word, i, all) => word !== all[i - 1]);
  try {
    await settle(arena, contender, random);
    contender.ending();
  } catch (error) {
    return { quoteId, outcome: 'unsettled', told: told(), problems: [errorText(error)] };
  }
  const verdict = await contender.verdict();
  const problems = [...verdict.problems, ...contradictionsOf(contender.log, verdict)];
  return { quoteId, outcome: verdict.outcome, told: told(), problems };
}
