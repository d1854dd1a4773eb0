import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../domain/errors.ts';
import type { SwitchName, Switches } from '../domain/switches.ts';
import { featureOff } from './errors.ts';
import type { SwitchReader } from './features.ts';
import { isMalformed } from './plugins/error-handler.ts';

export const ADMIN_PASSWORD_HEADER = 'x-admin-password';

type OnOffSwitch = Exclude<SwitchName, 'rewardLaunches'>;

const OFF_MESSAGES: Readonly<Record<OnOffSwitch, string>> = {
  launching: 'launching is paused',
  claiming: 'claiming fees is paused',
  devBuys: 'dev buys are not available',
  airdrops: 'airdrops are not available',
};

/** @throws AppError `service_unavailable`, not retryable */
export function requireSwitch(switches: Switches, name: OnOffSwitch): void {
  if (switches[name] === 'off') throw featureOff(OFF_MESSAGES[name]);
}

export function refuseMalformedFor(switches: SwitchReader, name: OnOffSwitch) {
  return async (error: unknown): Promise<never> => {
    if (isMalformed(error)) requireSwitch(await switches.read(), name);
    throw error;
  };
}

/** @throws AppError 503, not retryable, while off; 403 while admin-only without the password */
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

/** Compares digests: timing reveals neither length nor content. Without a configured password no request passes. */
function isAdmin(given: string | string[] | undefined, password: string | undefined): boolean {
  if (typeof given !== 'string' || !password) return false;
  return timingSafeEqual(digest(given), digest(password));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
