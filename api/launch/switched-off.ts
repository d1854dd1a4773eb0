import type { FastifyRequest } from 'fastify';
import type { Switches } from '../../domain/switches.ts';
import { featureOff } from '../errors.ts';
import { requireRewardAccess, requireSwitch } from '../gates.ts';

const DEV_BUY_FIELDS = ['devBuyPercent', 'devBuySol'];
const AIRDROP_FIELDS = ['airdropPercent', 'airdropTier', 'airdropSource'];

/**
 * Throws for any use of a feature that is off, before it is asked whether the use makes sense: 503 for its fields, whatever
 * is in them; for a reward launch also 403 while it needs the admin password and the request has none.
 */
export function refuseSwitchedOff(
  switches: Switches,
  request: Pick<FastifyRequest, 'headers' | 'body'>,
  adminPassword: string | undefined,
): void {
  const { body } = request;
  if (typeof body !== 'object' || body === null) return;
  const has = (field: string) => Object.hasOwn(body, field);
  if (DEV_BUY_FIELDS.some(has)) requireSwitch(switches, 'devBuys');
  if (AIRDROP_FIELDS.some(has)) requireSwitch(switches, 'airdrops');
  if (has('rewardTaxBps') && switches.rewardLaunches === 'off') throw featureOff('reward launches are not available');
  if ('mode' in body && body.mode === 'reward') requireRewardAccess(switches, request, adminPassword);
}
