import { type Connection, PublicKey } from '@solana/web3.js';
import { readPairBalance } from '../../../../chain/tokens/token-balance.ts';
import type { Db } from '../../../../db/connect.ts';
import { markedStockOf } from '../../../../db/inventory/stock.ts';
import * as pairs from '../../../../db/pairs.ts';
import * as labelledWallets from '../../../../db/platform/labelled-wallets.ts';
import { formatUnits, SOL_DECIMALS } from '../../../../domain/amounts.ts';
import { opsCommand, type StatusLine, transferCommand } from './line.ts';

export interface ChainParts {
  readonly db: Db;
  readonly connection: Connection;
  readonly leastLamports: bigint;
}

export async function solLines({ db, connection, leastLamports }: ChainParts): Promise<StatusLine[]> {
  const labelled = await labelledWallets.list(db);
  const own = labelled.filter(({ addedBy, label }) => addedBy === 'worker' && label === 'treasury');
  const found = await Promise.all(
    own.map(async ({ address }) => {
      const lamports = BigInt(await connection.getBalance(new PublicKey(address), 'confirmed'));
      return lamports < leastLamports ? [lowWallet(address, lamports, leastLamports)] : [];
    }),
  );
  return found.flat();
}

function lowWallet(address: string, lamports: bigint, least: bigint): StatusLine {
  const sol = (amount: bigint) => formatUnits(amount, SOL_DECIMALS);
  return {
    alert: 'SlipwayWalletLow',
    subject: 'sol',
    is: 'low',
    what: `${address}, a wallet of the platform, holds ${sol(lamports)} SOL, less than ${sol(least)}`,
    remedy: transferCommand(address, least - lamports),
  };
}

export async function inventoryLines({ db, connection }: ChainParts, treasury: PublicKey): Promise<StatusLine[]> {
  const listed = await pairs.list(db, { launchable: true });
  const found = await Promise.all(
    listed.map(async (pair): Promise<StatusLine[]> => {
      const stock = await markedStockOf(db, pair.mint, () => readPairBalance(connection, pair, treasury));
      if (stock === null || stock.available >= stock.belowRaw) return [];
      const tokens = (raw: bigint) => formatUnits(raw, pair.decimals);
      const what = `${tokens(stock.available)} ${pair.symbol} are left for dev buys, less than ${tokens(stock.belowRaw)}`;
      const remedy = opsCommand('inventory show');
      return [{ alert: 'SlipwayInventoryLow', subject: 'inventory', is: 'low', what, remedy }];
    }),
  );
  return found.flat();
}
