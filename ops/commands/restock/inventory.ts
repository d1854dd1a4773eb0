import type { Connection, PublicKey } from '@solana/web3.js';
import type { Command } from 'commander';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { readPairBalance } from '../../../chain/tokens/token-balance.ts';
import type { Db } from '../../../db/connect.ts';
import * as pairInventory from '../../../db/inventory/pair-inventory.ts';
import { stockOf } from '../../../db/inventory/stock.ts';
import * as pairs from '../../../db/pairs.ts';
import type { PairRecord } from '../../../db/pairs.ts';
import * as restockRounds from '../../../db/restock/restock-rounds.ts';
import type { RestockRound } from '../../../db/restock/restock-rounds.ts';
import { formatUnits } from '../../../domain/amounts.ts';
import type { BalanceState } from '../../../domain/token-balance.ts';
import { rpcUrls, treasuryAddress } from '../../service-addresses.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions } from '../../options.ts';
import { print, type Row } from '../../output.ts';
import { inventorySetCommand } from './inventory-set.ts';

interface PairInventory {
  readonly mint: string;
  readonly symbol: string;
  readonly balance: string;
  /** Of the treasury's account: tokens in a frozen one are not for sale. */
  readonly state: BalanceState;
  readonly reserved: string;
  readonly reserve: string;
  readonly setAside: string;
  readonly available: string;
  /** Or still open to dev buys. */
  readonly soldInHour: string;
  /** Null: DEV_BUY_HOUR_USD. */
  readonly hour: string | null;
  /** Null without marks. */
  readonly restock: { readonly below: string; readonly to: string } | null;
  readonly lastRound: RestockRound | null;
}

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

async function show(io: OpsIo, options: OutputOptions): Promise<void> {
  const { connection } = createRpc({ endpoints: rpcUrls(io) });
  const treasury = await treasuryAddress(io);
  await withDatabase(io, async (db) => {
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
  const [stock, settings, lastRound] = await Promise.all([
    stockOf(db, mint, () => readPairBalance(connection, pair, treasury)),
    pairInventory.byMint(db, mint),
    restockRounds.latestOf(db, mint),
  ]);
  const { state, heldRaw, reservedRaw, reserveRaw, setAsideRaw, available, hour } = stock;
  const { restockBelowRaw: below, restockToRaw: to } = settings;
  const tokens = (raw: bigint) => formatUnits(raw, decimals);
  return {
    mint,
    symbol,
    balance: tokens(heldRaw),
    state,
    reserved: tokens(reservedRaw),
    reserve: tokens(reserveRaw),
    setAside: tokens(setAsideRaw),
    available: tokens(available),
    soldInHour: tokens(hour.soldRaw),
    hour: hour.boundRaw === null ? null : tokens(hour.boundRaw),
    restock: below === null || to === null ? null : { below: tokens(below), to: tokens(to) },
    lastRound,
  };
}

function toRow({ restock, lastRound, setAside, soldInHour, hour, ...amounts }: PairInventory): Row {
  const { symbol, mint, balance, state, reserved, reserve, available } = amounts;
  return {
    symbol,
    mint,
    balance,
    account: state,
    reserved,
    reserve,
    'set aside': setAside,
    available,
    'sold in an hour': hour === null ? soldInHour : `${soldInHour} of ${hour}`,
    restock: restock === null ? 'off' : `below ${restock.below} to ${restock.to}`,
    'last round': lastRound === null ? null : describeRound(lastRound),
  };
}

function describeRound({ state, plannedAt, reason, signature }: RestockRound): string {
  return [`${state} ${plannedAt.toISOString()}`, reason, signature].filter(Boolean).join(' ');
}
