import { setTimeout as sleep } from 'node:timers/promises';
import { AWAY_MS, type Fault, type Ground, needsQuorum } from './fault.ts';

/** Slots of history that an endpoint keeps which prunes. */
const KEPT_SLOTS = 40;

/** Slots by which an endpoint lags. */
const LAG_SLOTS = 20;

/** What one endpoint of the platform can do; who judges asks another one. */
export const ENDPOINT_FAULTS = {
  'an endpoint hangs': { act: (ground) => forAWhile(ground, 'stall', { mode: 'hang', ms: AWAY_MS }) },
  'an endpoint fails': { act: (ground) => forAWhile(ground, 'stall', { mode: 'error', ms: AWAY_MS }) },
  'an endpoint prunes': { act: prune },
  'an endpoint lags': { act: (ground) => forAWhile(ground, 'lag', { slots: LAG_SLOTS }) },
  'an endpoint stands still': { act: (ground) => forAWhile(ground, 'stale', {}) },
  'an endpoint hides single signatures': { obstacle: needsQuorum, act: ({ thin }) => thin.hide('single', AWAY_MS) },
  'an endpoint hides a range of signatures': { obstacle: needsQuorum, act: ({ thin }) => thin.hide('range', AWAY_MS) },
} as const satisfies Record<string, Fault>;

/** As a node without an archive: what is older than a few blocks it truthfully answers to have nothing of. */
async function prune(ground: Ground): Promise<void> {
  const slot = await ground.stack.connection.getSlot('processed');
  await forAWhile(ground, 'loseHistory', { beforeSlot: slot - KEPT_SLOTS });
}

async function forAWhile({ stack, endpoints, dice }: Ground, fault: string, how: object): Promise<void> {
  const endpoint = endpoints[dice(endpoints.length)];
  await stack.control(fault, { ...how, endpoint });
  await sleep(AWAY_MS);
  await stack.control('clear', { endpoint });
}
