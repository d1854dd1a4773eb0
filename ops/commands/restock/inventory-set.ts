import type { Command } from 'commander';
import * as pairInventory from '../../../db/inventory/pair-inventory.ts';
import type { InventorySettings } from '../../../db/inventory/pair-inventory.ts';
import * as pairs from '../../../db/pairs.ts';
import { formatUnits, parseUnits } from '../../../domain/amounts.ts';
import { errorText } from '../../../domain/error-text.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption } from '../../options.ts';
import { print } from '../../output.ts';

interface SetOptions extends DecisionOptions {
  readonly reserve?: string;
  readonly restockBelow?: string;
  readonly restockTo?: string;
  /** False with --no-restock. */
  readonly restock: boolean;
}

/** `inventory set MINT`: what is kept back of a quote token, and when it is bought anew. What is not named stays. */
export function inventorySetCommand(inventory: Command, io: OpsIo): void {
  inventory
    .command('set')
    .description('set what dev buys leave of a quote token, and when it is bought anew; what is not named stays')
    .argument('<mint>', 'mint of a listed quote token')
    .option('--reserve <tokens>', 'whole tokens that dev buys never take')
    .option('--restock-below <tokens>', 'fewer available whole tokens are bought anew (with --restock-to)')
    .option('--restock-to <tokens>', 'available whole tokens after a restock (with --restock-below)')
    .option('--no-restock', 'never buy this quote token')
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .action((mint: string, options: SetOptions) => set(io, mint, options));
}

function set(io: OpsIo, mint: string, options: SetOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const pair = await pairs.byMint(db, mint);
    if (!pair) throw new OpsError(`there is no pair with mint ${mint}`);
    const settings = changed(await pairInventory.byMint(db, mint), options, pair.decimals);
    await pairInventory.set(db, mint, settings, decisionOf(io, options));
    print(io, options, { mint, ...settings }, sentence(pair.symbol, settings, pair.decimals));
  });
}

function changed(present: InventorySettings, options: SetOptions, decimals: number): InventorySettings {
  const raw = (text: string | undefined, otherwise: bigint | null) =>
    text === undefined ? otherwise : parseTokens(text, decimals);
  const restockBelowRaw = options.restock ? raw(options.restockBelow, present.restockBelowRaw) : null;
  const restockToRaw = options.restock ? raw(options.restockTo, present.restockToRaw) : null;
  assertMarks(restockBelowRaw, restockToRaw);
  return { reserveRaw: raw(options.reserve, present.reserveRaw) ?? 0n, restockBelowRaw, restockToRaw };
}

function assertMarks(below: bigint | null, to: bigint | null): void {
  if (below === null && to === null) return;
  if (below === null || to === null) throw new OpsError('--restock-below and --restock-to belong together');
  if (below === 0n) throw new OpsError('--restock-below must be above zero; --no-restock ends restocks');
  if (to < below) throw new OpsError('--restock-to must not be below --restock-below');
}

function parseTokens(text: string, decimals: number): bigint {
  try {
    return parseUnits(text, decimals);
  } catch (error) {
    throw new OpsError(errorText(error));
  }
}

function sentence(symbol: string, { reserveRaw, restockBelowRaw, restockToRaw }: InventorySettings, decimals: number) {
  const kept = `${formatUnits(reserveRaw, decimals)} ${symbol} are kept back`;
  if (restockBelowRaw === null || restockToRaw === null) return `${kept}; it is never restocked`;
  const marks = [restockBelowRaw, restockToRaw].map((raw) => formatUnits(raw, decimals));
  return `${kept}; fewer than ${marks[0]} available are restocked to ${marks[1]}`;
}
