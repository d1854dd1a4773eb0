import type { FastifyRequest } from 'fastify';
import { areAirdropsOffered, type Switches } from '../../domain/switches.ts';
import { featureOff } from '../errors.ts';
import { requireRewardAccess, requireSwitch } from '../gates.ts';
import { readValues } from '../plugins/read-values.ts';
import { PrepareBodySchema } from './prepare-body.ts';

const DEV_BUY_FIELDS = ['devBuyPercent', 'devBuySol'];
const AIRDROP_FIELDS = ['airdropPercent', 'airdropTier', 'airdropSource'];

/**
 * Runs before validation: 503 for a disabled feature's fields, whatever their value; 403 for a reward launch without
 * the admin password it needs.
 */
export function refuseSwitchedOff(
  switches: Switches,
  request: Pick<FastifyRequest, 'headers' | 'body'>,
  adminPassword: string | undefined,
): void {
  // A field without a value asks for nothing.
  const body = readValues(PrepareBodySchema, 'body', request.body);
  if (typeof body !== 'object' || body === null) return;
  const has = (field: string) => Object.hasOwn(body, field);
  if (DEV_BUY_FIELDS.some(has)) requireSwitch(switches, 'devBuys');
  if (AIRDROP_FIELDS.some(has) && !areAirdropsOffered(switches)) throw featureOff('airdrops are not available');
  if (has('rewardTaxBps') && switches.rewardLaunches === 'off') throw featureOff('reward launches are not available');
  if ('mode' in body && body.mode === 'reward') requireRewardAccess(switches, request, adminPassword);
}
