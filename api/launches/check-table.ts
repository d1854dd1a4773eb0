import { PublicKey } from '@solana/web3.js';
import { lackingIn, pairEntries, spell, type TablePair } from '../../chain/launch/table-contents.ts';
import { LookupTableError } from '../../chain/transactions/lookup-table.ts';
import { AppError } from '../../domain/errors.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Throws AppError `service_unavailable` where a dev buy would not fit its transactions, because the lookup table lacks the
 * pair's addresses: better now than after the creator has signed. An exchange that needs no table is not asked.
 */
export async function assertDevBuyFits({ launching, config }: ApiDeps, pair: TablePair): Promise<void> {
  const { exchange, lookupTables } = launching;
  if (exchange.lookupAddresses.length === 0) return;
  const treasury = config.treasuryAddress === undefined ? undefined : new PublicKey(config.treasuryAddress);
  const lacking = lackingIn(await readTables(lookupTables), pairEntries(pair, treasury));
  if (lacking.length === 0) return;
  const reason = `the lookup table lacks ${spell(lacking)}`;
  throw new AppError('service_unavailable', `dev buys with ${pair.symbol} are not possible at the moment: ${reason}`);
}

async function readTables(read: ApiDeps['launching']['lookupTables']) {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof LookupTableError)) throw cause;
    throw new AppError('service_unavailable', `nothing can be launched at the moment: ${cause.message}`, { cause });
  }
}
