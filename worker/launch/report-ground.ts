import { checkExchange } from '../../chain/launch/check-exchange.ts';
import { LookupTableError } from '../../chain/transactions/lookup-table.ts';
import * as pairs from '../../db/pairs.ts';
import { retryStart, type StartRetry } from '../retry-start.ts';
import type { Shared } from '../shared.ts';

/**
 * Logs at start what can be launched on, and what cannot and why. Throws a LookupTableError for a lookup table without which
 * nothing can be launched, or that is not the platform wallet's.
 */
export async function reportLaunchGround({ db, exchange, builder, signers }: Shared, retry: StartRetry): Promise<void> {
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
