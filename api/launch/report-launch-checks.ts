import { PublicKey } from '@solana/web3.js';
import type { FastifyBaseLogger } from 'fastify';
import { checkExchange } from '../../chain/launch/check-exchange.ts';
import type { Db } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import type { LaunchApiDeps } from './deps.ts';

export interface LaunchCheckParts {
  readonly db: Db;
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  readonly treasuryAddress: string | undefined;
}

/** @throws LookupTableError when a missing table prevents all */
export async function reportLaunchChecks(
  { exchange, lookupTables }: Pick<LaunchApiDeps, 'exchange' | 'lookupTables'>,
  { db, logger, treasuryAddress }: LaunchCheckParts,
): Promise<void> {
  const treasury = treasuryAddress === undefined ? undefined : new PublicKey(treasuryAddress);
  const listed = await pairs.list(db, { launchable: true });
  const { facts, warnings } = await checkExchange({ exchange, lookupTables, pairs: listed, treasury });
  for (const fact of facts) logger.info(fact);
  for (const warning of warnings) logger.warn(warning);
}
