import type { Logger } from 'pino';
import { createExchange, lookupTablesOf } from '../chain/exchange/create-exchange.ts';
import { checkExchange } from '../chain/launch/check-exchange.ts';
import { LookupTableError } from '../chain/transactions/lookup-table.ts';
import type { WorkerConfig } from '../config/worker.ts';
import * as pairs from '../db/pairs.ts';
import type { Connections } from './connections.ts';
import { retryStart, type StartRetry } from './retry-start.ts';

/**
 * Logs at start what can be launched on, and what cannot and why. Throws a LookupTableError for a lookup table without which
 * nothing can be launched, or that is not the platform wallet's.
 */
export async function reportLaunchGround(
  { exchange: choice }: Pick<WorkerConfig, 'exchange'>,
  { db, rpc, genesisHash, signers }: Connections,
  retry: StartRetry & { readonly logger: Logger },
): Promise<void> {
  const ground = {
    exchange: createExchange(choice, rpc.connection, genesisHash),
    lookupTables: lookupTablesOf(choice, rpc.connection),
    pairs: await pairs.list(db, { launchable: true }),
    treasury: signers.treasury.publicKey,
    owner: signers.platform.publicKey,
  };
  const isFinal = (error: unknown) => error instanceof LookupTableError;
  const { facts, warnings } = await retryStart('the exchange', () => checkExchange(ground), retry, isFinal);
  for (const fact of facts) retry.logger.info(fact);
  for (const warning of warnings) retry.logger.warn(warning);
}
