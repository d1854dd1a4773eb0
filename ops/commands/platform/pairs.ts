import type { Command } from 'commander';
import * as pairs from '../../../db/pairs.ts';
import type { PairRecord } from '../../../db/pairs.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import {
  type DecisionOptions,
  decisionOf,
  jsonOption,
  type OutputOptions,
  withDecisionOptions,
} from '../../options.ts';
import { print, type Row } from '../../output.ts';
import { pairsAddCommand } from './pairs-add.ts';

interface ListOptions extends OutputOptions {
  readonly category?: string;
  readonly launchable?: boolean;
}

export function pairsCommand(program: Command, io: OpsIo): void {
  const command = program.command('pairs').description('list, add and retire the quote tokens of launches');
  command
    .command('list', { isDefault: true })
    .description('show the pairs')
    .option('--category <name>', 'only this category')
    .option('--launchable', 'only pairs a new launch can use')
    .addOption(jsonOption())
    .action((options: ListOptions) => list(io, options));
  pairsAddCommand(command, io);
  withDecisionOptions(command.command('retire').description('end new launches with a pair; existing tokens keep it'))
    .argument('<mint>', 'mint of the quote token')
    .action((mint: string, options: DecisionOptions) => retire(io, mint, options));
  withDecisionOptions(command.command('category').description('retire or reopen a whole category'))
    .argument('<name>', 'name of the category')
    .argument('<state>', 'retired or open')
    .action((name: string, state: string, options: DecisionOptions) => setCategory(io, name, state, options));
}

function list(io: OpsIo, { category, launchable, ...options }: ListOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const listed = await pairs.list(db, {
      ...(category === undefined ? {} : { category }),
      ...(launchable === undefined ? {} : { launchable }),
    });
    print(io, options, { pairs: listed }, listed.map(toRow));
  });
}

function retire(io: OpsIo, mint: string, options: DecisionOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const retired = await pairs.retire(db, mint, decisionOf(io, options));
    if (!retired) throw new OpsError(`there is no active pair with mint ${mint}`);
    print(io, options, { mint, status: 'retired' }, `${mint} is retired`);
  });
}

function setCategory(io: OpsIo, name: string, state: string, options: DecisionOptions): Promise<void> {
  if (state !== 'retired' && state !== 'open') throw new OpsError(`a category can be retired or open, not "${state}"`);
  return withDatabase(io, async (db) => {
    const decided = decisionOf(io, options);
    const found = await pairs.setCategoryRetired(db, name, state === 'retired', decided);
    if (!found) throw new OpsError(`there is no category "${name}"`);
    print(io, options, { category: name, state }, `category ${name} is ${state}`);
  });
}

function toRow({ mint, symbol, category, decimals, launchable, status, priceSource }: PairRecord): Row {
  return { symbol, mint, category, decimals, status, launchable, price: priceSource };
}
