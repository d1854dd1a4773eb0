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
  /** Whole tokens; false with --no-hour. */
  readonly hour?: string | boolean;
  /** False with --no-restock. */
  readonly restock: boolean;
}

export function inventorySetCommand(inventory: Command, io: OpsIo): void {
  inventory
    .command('set')
    .description('set reserve, hourly bound and restock marks of a quote token; others stay')
    .argument('<mint>', 'mint of a listed quote token')
    .option('--reserve <tokens>', 'whole tokens that dev buys never take')
    .option('--hour <tokens>', 'most whole tokens that dev buys take within an hour')
    .option('--no-hour', 'bound the hour by DEV_BUY_HOUR_USD')
    .option('--restock-below <tokens>', 'fewer available whole tokens are bought again (with --restock-to)')
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
  const reserveRaw = raw(options.reserve, present.reserveRaw) ?? 0n;
  return { reserveRaw, restockBelowRaw, restockToRaw, hourRaw: hourOf(present, options, decimals) };
}

/** Commander sets true if neither option is named. */
function hourOf(present: InventorySettings, { hour }: SetOptions, decimals: number): bigint | null {
  if (hour === false) return null;
  return typeof hour === 'string' ? parseTokens(hour, decimals) : present.hourRaw;
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

function sentence(
  symbol: string,
  { reserveRaw, restockBelowRaw, restockToRaw, hourRaw }: InventorySettings,
  decimals: number,
) {
  const hour = hourRaw === null ? '' : `; dev buys take at most ${formatUnits(hourRaw, decimals)} within an hour`;
  const kept = `${formatUnits(reserveRaw, decimals)} ${symbol} are kept back${hour}`;
  if (restockBelowRaw === null || restockToRaw === null) return `${kept}; it is never restocked`;
  const marks = [restockBelowRaw, restockToRaw].map((raw) => formatUnits(raw, decimals));
  return `${kept}; fewer than ${marks[0]} available are restocked to ${marks[1]}`;
}
