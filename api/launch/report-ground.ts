import { PublicKey } from '@solana/web3.js';
import type { FastifyBaseLogger } from 'fastify';
import { checkExchange } from '../../chain/launch/check-exchange.ts';
import type { Db } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import type { LaunchApiDeps } from './deps.ts';

/** What the check needs besides the exchange. */
export interface GroundParts {
  readonly db: Db;
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  readonly treasuryAddress: string | undefined;
}

/**
 * Logs at start what can be launched on, and what cannot and why. Throws a LookupTableError for a lookup table without which
 * nothing can be launched.
 */
export async function reportLaunchGround(
  { exchange, lookupTables }: Pick<LaunchApiDeps, 'exchange' | 'lookupTables'>,
  { db, logger, treasuryAddress }: GroundParts,
): Promise<void> {
  const treasury = treasuryAddress === undefined ? undefined : new PublicKey(treasuryAddress);
  const listed = await pairs.list(db, { launchable: true });
  const { facts, warnings } = await checkExchange({ exchange, lookupTables, pairs: listed, treasury });
  for (const fact of facts) logger.info(fact);
  for (const warning of warnings) logger.warn(warning);
}
