import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../domain/errors.ts';
import type { SwitchName, Switches } from '../domain/switches.ts';
import { featureOff } from './errors.ts';
import type { SwitchReader } from './features.ts';
import { isMalformed } from './plugins/error-handler.ts';

/** Header that opens reward launches while they are admin-only. */
export const ADMIN_PASSWORD_HEADER = 'x-admin-password';

type OnOffSwitch = Exclude<SwitchName, 'rewardLaunches'>;

const OFF_MESSAGES: Readonly<Record<OnOffSwitch, string>> = {
  launching: 'launching is paused',
  claiming: 'claiming fees is paused',
  devBuys: 'dev buys are not available',
  airdrops: 'airdrops are not available',
};

/** Throws 503 `service_unavailable`, not retryable, while a switch is off. */
export function requireSwitch(switches: Switches, name: OnOffSwitch): void {
  if (switches[name] === 'off') throw featureOff(OFF_MESSAGES[name]);
}

/** Error handler of a route whose handler looks at a switch itself: what is malformed while that is off is refused for the switch. */
export function refuseMalformedFor(switches: SwitchReader, name: OnOffSwitch) {
  return async (error: unknown): Promise<never> => {
    if (isMalformed(error)) requireSwitch(await switches.read(), name);
    throw error;
  };
}

/**
 * Throws unless the request may launch in reward mode: 503, not retryable, while reward launches are off; 403 while they are
 * admin-only and the request has not the admin password.
 */
export function requireRewardAccess(
  switches: Switches,
  request: Pick<FastifyRequest, 'headers'>,
  adminPassword: string | undefined,
): void {
  switch (switches.rewardLaunches) {
    case 'open':
      return;
    case 'off':
      throw featureOff('reward launches are not available');
    case 'admin':
      if (isAdmin(request.headers[ADMIN_PASSWORD_HEADER], adminPassword)) return;
      throw new AppError('forbidden', 'reward launches are not open to everyone yet');
  }
}

/** Compares digests, so that neither length nor content of the password shows in the time it takes. No password admits nobody. */
function isAdmin(given: string | string[] | undefined, password: string | undefined): boolean {
  if (typeof given !== 'string' || !password) return false;
  return timingSafeEqual(digest(given), digest(password));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
