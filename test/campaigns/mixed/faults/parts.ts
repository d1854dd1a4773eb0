import { setTimeout as sleep } from 'node:timers/promises';
import type { KilledPart } from '../../chaos/processes/real-stack.ts';
import { WIPE_TEMPORAL } from '../../chaos/processes/wipe-temporal.ts';
import { clockAhead, clockOfCAhead, COMPILER } from '../../drill/shifted-clocks.ts';
import { restartedWith } from '../../drill/watched-parts.ts';
import { AWAY_MS, type Fault, type Ground } from './fault.ts';

const kill = (part: KilledPart): Fault => ({ act: ({ stack }) => stack.kill(part) });

const KILLS: Readonly<Record<`kill -9 of ${KilledPart}`, Fault>> = {
  'kill -9 of worker': kill('worker'),
  'kill -9 of api': kill('api'),
  'kill -9 of temporal': kill('temporal'),
  'kill -9 of postgres': kill('postgres'),
};

/** Differences of a process's clock, seconds: more than a minute, more than a quote or a claim lives, and hours. */
const OFF_SECONDS = [90, 1_200, 10_800] as const;

/** What parts and the chain can do. */
export const PART_FAULTS = {
  ...KILLS,
  'Temporal comes back empty': { act: ({ stack }) => WIPE_TEMPORAL.act(stack) },
  'sent transactions are lost': {
    act: ({ stack, endpoints, dice }) =>
      stack.control('dropTransactions', { count: 25, endpoint: endpoints[dice(endpoints.length)] }),
  },
  'slots are skipped': { act: ({ stack }) => stack.control('skipNextSlots', { count: 40 }) },
  'all blockhashes expire': { act: ({ stack }) => stack.control('advanceSlots', { count: 160 }) },
  'clock of the worker ahead': { isLong: true, act: (ground) => shiftNode(ground, 'worker', 1) },
  'clock of the worker behind': { isLong: true, act: (ground) => shiftNode(ground, 'worker', -1) },
  'clock of the API ahead': { isLong: true, act: (ground) => shiftNode(ground, 'api', 1) },
  'clock of the API behind': { isLong: true, act: (ground) => shiftNode(ground, 'api', -1) },
  'clock of the database ahead': {
    isLong: true,
    obstacle: needsCompiler,
    act: (ground) => shiftDatabase(ground, 1),
  },
  'clock of the database behind': {
    isLong: true,
    obstacle: needsCompiler,
    act: (ground) => shiftDatabase(ground, -1),
  },
} as const satisfies Record<string, Fault>;

function needsCompiler(): string | null {
  return COMPILER === undefined ? 'no cc on PATH' : null;
}

function offBy({ dice }: Ground, sign: 1 | -1): number {
  return sign * OFF_SECONDS[dice(OFF_SECONDS.length)]!;
}

async function shiftNode(ground: Ground, part: 'worker' | 'api', sign: 1 | -1): Promise<void> {
  await forAWhile(ground, part, clockAhead(ground.stack, offBy(ground, sign) * 1_000));
}

async function shiftDatabase(ground: Ground, sign: 1 | -1): Promise<void> {
  await forAWhile(ground, 'postgres', clockOfCAhead(ground.stack, offBy(ground, sign)));
}

async function forAWhile({ stack }: Ground, part: string, variables: Record<string, string>): Promise<void> {
  const restore = await restartedWith(stack, part, variables);
  await sleep(AWAY_MS);
  await restore();
}
