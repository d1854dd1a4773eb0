import { checkExchange } from '../../chain/launch/check-exchange.ts';
import { LookupTableError } from '../../chain/transactions/lookup-table.ts';
import * as pairs from '../../db/pairs.ts';
import { retryStart, type StartRetry } from '../retry-start.ts';
import type { Shared } from '../shared.ts';

/**
 * Logs at start which pairs can be launched with, and why others cannot. Throws a LookupTableError for a foreign
 * table, or one that every launch needs.
 */
export async function reportLaunchChecks({ db, exchange, builder, signers }: Shared, retry: StartRetry): Promise<void> {
  const ground = {
    exchange,
    lookupTables: builder.lookupTables,
    pairs: await pairs.list(db, { launchable: true }),
    treasury: signers.treasury.publicKey,
    owner: signers.platform.publicKey,
  };
  const isFinal = (error: unknown) => error instanceof LookupTableError;
  const { facts, warnings } = await retryStart('the exchange', () => checkExchange(ground), retry, isFinal);
  for (const fact of facts) retry.logger.info(fact);
  for (const warning of warnings) retry.logger.warn(warning);
}
