import { PublicKey } from '@solana/web3.js';
import { lackingIn, pairEntries, spell, type TablePair } from '../../chain/launch/table-contents.ts';
import { LookupTableError } from '../../chain/transactions/lookup-table.ts';
import { isPurchaseSigned } from '../../db/inventory/stock-books.ts';
import { AppError } from '../../domain/errors.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * The treasury sends exactly what the swap takes; less of a taxed token would arrive.
 *
 * @throws AppError `service_unavailable` when no dev buy with this quote token is possible
 */
export async function assertDevBuyPossible(deps: ApiDeps, pair: TablePair, taxBps: number): Promise<void> {
  if (taxBps > 0) throw refused(pair.symbol, `its transfers are taxed with ${taxBps} bps`);
  await Promise.all([assertTabled(deps, pair), assertStockKnown(deps, pair)]);
}

/** No dev buy is signed while a purchase of the token by revenue may land. */
async function assertStockKnown({ db }: ApiDeps, { mint, symbol }: TablePair): Promise<void> {
  if (await isPurchaseSigned(db, mint)) throw refused(symbol, 'revenue is buying the token; try again in a minute');
}

/** Transactions fit only with the pair in the lookup table. Skipped if the exchange needs none. */
async function assertTabled({ launching, config }: ApiDeps, pair: TablePair): Promise<void> {
  const { exchange, lookupTables } = launching;
  if (exchange.lookupAddresses.length === 0) return;
  const treasury = config.treasuryAddress === undefined ? undefined : new PublicKey(config.treasuryAddress);
  const lacking = lackingIn(await readTables(lookupTables), pairEntries(pair, treasury));
  if (lacking.length > 0) throw refused(pair.symbol, `the lookup table lacks ${spell(lacking)}`);
}

async function readTables(read: ApiDeps['launching']['lookupTables']) {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof LookupTableError)) throw cause;
    throw new AppError('service_unavailable', `nothing can be launched at the moment: ${cause.message}`, { cause });
  }
}

function refused(symbol: string, reason: string): AppError {
  return new AppError('service_unavailable', `dev buys with ${symbol} are not possible at the moment: ${reason}`);
}
