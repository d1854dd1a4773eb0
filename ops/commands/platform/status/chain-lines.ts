import { type Connection, PublicKey } from '@solana/web3.js';
import type { Db } from '../../../../db/connect.ts';
import * as pairs from '../../../../db/pairs.ts';
import * as labelledWallets from '../../../../db/platform/labelled-wallets.ts';
import { formatUnits } from '../../../../domain/amounts.ts';
import { availableRaw } from '../../../../domain/inventory.ts';
import { stockOf } from '../../restock/stock.ts';
import { opsCommand, type StatusLine } from './line.ts';

/** What balances are read with. */
export interface ChainParts {
  readonly db: Db;
  readonly connection: Connection;
  /** A wallet of the platform with less is low, lamports. */
  readonly leastLamports: bigint;
}

const SOL_DECIMALS = 9;

/** Wallets of the platform that are low on SOL: those that a worker has labelled as its own. */
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
    subject: 'sol',
    is: 'low',
    what: `${address}, a wallet of the platform, holds ${sol(lamports)} SOL, less than ${sol(least)}`,
    remedy: `solana transfer ${address} ${sol(least - lamports)} --allow-unfunded-recipient`,
  };
}

/** Quote tokens of which dev buys can count on fewer than their mark. */
export async function inventoryLines({ db, connection }: ChainParts, treasury: PublicKey): Promise<StatusLine[]> {
  const listed = await pairs.list(db, { launchable: true });
  const found = await Promise.all(
    listed.map(async (pair): Promise<StatusLine[]> => {
      const { settings, ...balances } = await stockOf(db, connection, treasury, pair);
      const available = availableRaw({ ...balances, reserveRaw: settings.reserveRaw });
      const below = settings.restockBelowRaw;
      if (below === null || available >= below) return [];
      const tokens = (raw: bigint) => formatUnits(raw, pair.decimals);
      const what = `${tokens(available)} ${pair.symbol} are left for dev buys, less than ${tokens(below)}`;
      return [{ subject: 'inventory', is: 'low', what, remedy: opsCommand('inventory show') }];
    }),
  );
  return found.flat();
}
