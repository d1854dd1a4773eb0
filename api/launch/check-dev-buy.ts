import { PublicKey } from '@solana/web3.js';
import { lackingIn, pairEntries, spell, type TablePair } from '../../chain/launch/table-contents.ts';
import { readTokens } from '../../chain/tokens/token-info.ts';
import { LookupTableError } from '../../chain/transactions/lookup-table.ts';
import { AppError } from '../../domain/errors.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Throws AppError `service_unavailable` where a dev buy with this quote token could not be carried out, whatever its amount:
 * better now than after the creator has signed.
 */
export async function assertDevBuyPossible(deps: ApiDeps, pair: TablePair): Promise<void> {
  await Promise.all([assertUntaxed(deps, pair), assertTabled(deps, pair)]);
}

/** The treasury hands over exactly what the swap takes; of a taxed token less would arrive, and how much can change any time. */
async function assertUntaxed({ launching }: ApiDeps, { mint, symbol }: TablePair): Promise<void> {
  const [token] = await readTokens(launching.rpc.connection, [new PublicKey(mint)]);
  const bps = token?.transferFee?.bps ?? 0;
  if (bps > 0) throw refused(symbol, `its transfers are taxed with ${bps} bps`);
}

/** Without the pair's addresses in the lookup table the transactions would not fit. An exchange that needs none is not asked. */
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
