import { setTimeout as sleep } from 'node:timers/promises';
import { KILLED_PARTS, type RealStack } from '../chaos/processes/real-stack.ts';
import { WIPE_TEMPORAL } from '../chaos/processes/wipe-temporal.ts';
import type { Dice } from './wishes.ts';

/** Something that breaks, and is well again when it resolves. */
interface Strike {
  readonly name: string;
  readonly act: (stack: RealStack) => Promise<unknown>;
}

/** The endpoint that API and worker ask; who judges asks another one. */
const PLATFORM = { endpoint: 'default' };

/** How long an endpoint hangs or lags, in ms: longer than any single request waits. */
const AWAY_MS = 12_000;

/** Slots of history that an endpoint keeps which forgets. */
const KEPT_SLOTS = 40;

/** Most of what can happen to the parts and to the chain; kills come more often. */
const STRIKES: readonly Strike[] = [
  ...KILLED_PARTS.map((part) => kill(part)),
  ...KILLED_PARTS.map((part) => kill(part)),
  { name: 'Temporal comes back empty', act: (stack) => WIPE_TEMPORAL.act(stack) },
  { name: 'sent transactions are lost', act: (stack) => stack.control('dropTransactions', { count: 25, ...PLATFORM }) },
  { name: 'slots are skipped', act: (stack) => stack.control('skipNextSlots', { count: 40 }) },
  { name: 'all blockhashes expire', act: (stack) => stack.control('advanceSlots', { count: 160 }) },
  { name: 'the endpoint hangs', act: (stack) => forAWhile(stack, 'stall', { mode: 'hang', ms: AWAY_MS }) },
  { name: 'the endpoint fails', act: (stack) => forAWhile(stack, 'stall', { mode: 'error', ms: AWAY_MS }) },
  { name: 'the endpoint forgets', act: forgetAWhile },
  { name: 'the endpoint lags', act: (stack) => forAWhile(stack, 'lag', { slots: 20 }) },
];

/** Strikes with one of them; resolves with its name when it is over. */
export async function strike(stack: RealStack, dice: Dice): Promise<string> {
  const { name, act } = STRIKES[dice(STRIKES.length)]!;
  await act(stack);
  return name;
}

function kill(part: (typeof KILLED_PARTS)[number]): Strike {
  return { name: `kill -9 of ${part}`, act: (stack) => stack.kill(part) };
}

/** As a node without an archive: what is older than a few blocks it truthfully answers to have nothing of. */
async function forgetAWhile(stack: RealStack): Promise<void> {
  const slot = await stack.connection.getSlot('processed');
  await forAWhile(stack, 'loseHistory', { beforeSlot: slot - KEPT_SLOTS });
}

async function forAWhile(stack: RealStack, fault: string, how: object): Promise<void> {
  await stack.control(fault, { ...how, ...PLATFORM });
  await sleep(AWAY_MS);
  await stack.control('clear', PLATFORM);
}
