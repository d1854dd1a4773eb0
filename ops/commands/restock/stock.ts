import { type Connection, PublicKey } from '@solana/web3.js';
import { tokenBalance } from '../../../chain/tokens/token-balance.ts';
import type { Db } from '../../../db/connect.ts';
import { reservedDevBuys } from '../../../db/inventory/dev-buy-reservations.ts';
import * as pairInventory from '../../../db/inventory/pair-inventory.ts';
import type { PairRecord } from '../../../db/pairs.ts';

/** Quote tokens of a pair in the treasury, what open launches reserve of them (raw units), and the settings of its inventory. */
export async function stockOf(
  db: Db,
  connection: Connection,
  treasury: PublicKey,
  { mint, decimals, tokenProgram }: PairRecord,
) {
  const token = { mint: new PublicKey(mint), decimals, tokenProgram: new PublicKey(tokenProgram) };
  const [balanceRaw, reservedRaw, settings] = await Promise.all([
    tokenBalance(connection, token, treasury),
    reservedDevBuys(db, mint),
    pairInventory.byMint(db, mint),
  ]);
  return { balanceRaw, reservedRaw, settings };
}
