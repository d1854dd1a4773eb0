import { Connection, PublicKey } from '@solana/web3.js';
import type { Command } from 'commander';
import { pairBalance } from '../../../chain/tokens/token-balance.ts';
import type { Db } from '../../../db/connect.ts';
import { stockOf } from '../../../db/inventory/stock.ts';
import * as pairs from '../../../db/pairs.ts';
import type { PairRecord } from '../../../db/pairs.ts';
import * as restockRounds from '../../../db/restock/restock-rounds.ts';
import type { RestockRound } from '../../../db/restock/restock-rounds.ts';
import { formatUnits } from '../../../domain/amounts.ts';
import { rpcUrl, treasuryAddress } from '../../service-addresses.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions } from '../../options.ts';
import { print, type Row } from '../../output.ts';
import { inventorySetCommand } from './inventory-set.ts';

/** Quote tokens of one pair in the treasury; amounts are decimal strings in whole tokens. */
interface PairInventory {
  readonly mint: string;
  readonly symbol: string;
  readonly balance: string;
  readonly reserved: string;
  readonly reserve: string;
  readonly available: string;
  /** Marks of restocks; null where there are none. */
  readonly restock: { readonly below: string; readonly to: string } | null;
  readonly lastRound: RestockRound | null;
}

/** `inventory [show|set]`: the treasury's quote tokens for dev buys. */
export function inventoryCommand(program: Command, io: OpsIo): void {
  const command = program.command('inventory').description("show and set the treasury's quote tokens for dev buys");
  command
    .command('show', { isDefault: true })
    .description(
      'balance, what open launches reserve, the reserve, what is left for dev buys, and restocks of each pair',
    )
    .addOption(jsonOption())
    .action((options: OutputOptions) => show(io, options));
  inventorySetCommand(command, io);
}

function show(io: OpsIo, options: OutputOptions): Promise<void> {
  const connection = new Connection(rpcUrl(io), 'confirmed');
  const treasury = new PublicKey(treasuryAddress(io));
  return withDatabase(io, async (db) => {
    const listed = await pairs.list(db);
    const inventory = await Promise.all(listed.map((pair) => inventoryOf(db, connection, treasury, pair)));
    const lamports = await connection.getBalance(treasury, 'confirmed');
    const json = { treasury: treasury.toBase58(), lamports, inventory };
    print(io, options, json, inventory.map(toRow));
  });
}

async function inventoryOf(
  db: Db,
  connection: Connection,
  treasury: PublicKey,
  pair: PairRecord,
): Promise<PairInventory> {
  const { mint, symbol, decimals } = pair;
  const [{ balanceRaw, reservedRaw, reserveRaw, available, settings }, lastRound] = await Promise.all([
    stockOf(db, mint, () => pairBalance(connection, pair, treasury)),
    restockRounds.latestOf(db, mint),
  ]);
  const { restockBelowRaw: below, restockToRaw: to } = settings;
  const tokens = (raw: bigint) => formatUnits(raw, decimals);
  return {
    mint,
    symbol,
    balance: tokens(balanceRaw),
    reserved: tokens(reservedRaw),
    reserve: tokens(reserveRaw),
    available: tokens(available),
    restock: below === null || to === null ? null : { below: tokens(below), to: tokens(to) },
    lastRound,
  };
}

function toRow({ symbol, mint, balance, reserved, reserve, available, restock, lastRound }: PairInventory): Row {
  return {
    symbol,
    mint,
    balance,
    reserved,
    reserve,
    available,
    restock: restock === null ? 'off' : `below ${restock.below} to ${restock.to}`,
    'last round': lastRound === null ? null : describeRound(lastRound),
  };
}

function describeRound({ state, plannedAt, reason, signature }: RestockRound): string {
  return [`${state} ${plannedAt.toISOString()}`, reason, signature].filter(Boolean).join(' ');
}
