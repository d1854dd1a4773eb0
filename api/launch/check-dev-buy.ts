import { PublicKey } from '@solana/web3.js';
import { lackingIn, pairEntries, spell, type TablePair } from '../../chain/launch/table-contents.ts';
import { readTokens } from '../../chain/tokens/token-info.ts';
import { LookupTableError } from '../../chain/transactions/lookup-table.ts';
import { isPurchaseSigned } from '../../db/inventory/stock-books.ts';
import { AppError } from '../../domain/errors.ts';
import type { ApiDeps } from '../deps.ts';

/** @throws AppError `service_unavailable` when no dev buy with this quote token is possible */
export async function assertDevBuyPossible(deps: ApiDeps, pair: TablePair): Promise<void> {
  await Promise.all([assertUntaxed(deps, pair), assertTabled(deps, pair), assertStockKnown(deps, pair)]);
}

/** No dev buy is signed while a purchase of the token by revenue may land. */
async function assertStockKnown({ db }: ApiDeps, { mint, symbol }: TablePair): Promise<void> {
  if (await isPurchaseSigned(db, mint)) throw refused(symbol, 'revenue is buying the token; try again in a minute');
}

/** The treasury sends exactly what the swap takes; less of a taxed token would arrive. */
async function assertUntaxed({ launching }: ApiDeps, { mint, symbol }: TablePair): Promise<void> {
  const [token] = await readTokens(launching.rpc.connection, [new PublicKey(mint)]);
  const bps = token?.transferFee?.bps ?? 0;
  if (bps > 0) throw refused(symbol, `its transfers are taxed with ${bps} bps`);
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
